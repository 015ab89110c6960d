-- name: months_between_full
-- topic: dates
-- parameters: a, b
-- purpose: how many whole months from a to b, negative where b is earlier; the last day of a month completes one that began on a day it lacks
-- nulls: null where either is no date
-- also: DATEDIF, months_between, relativedelta.months, tenure_months
-- example: months_between_full(DATE '2024-01-15', DATE '2024-03-14') => 1
-- example: months_between_full(DATE '2024-01-31', DATE '2024-02-29') => 1
-- example: months_between_full(DATE '2024-03-15', DATE '2024-01-15') => -2
-- example: months_between_full('x', DATE '2024-01-01') => NULL
12 * (year(try_cast(b AS DATE)) - year(try_cast(a AS DATE))) + month(try_cast(b AS DATE)) - month(try_cast(a AS DATE))
- CASE
    WHEN try_cast(b AS DATE) >= try_cast(a AS DATE) AND day(try_cast(b AS DATE)) < day(try_cast(a AS DATE))
        AND try_cast(b AS DATE) <> last_day(try_cast(b AS DATE)) THEN 1
    WHEN try_cast(b AS DATE) < try_cast(a AS DATE) AND day(try_cast(a AS DATE)) < day(try_cast(b AS DATE))
        AND try_cast(a AS DATE) <> last_day(try_cast(a AS DATE)) THEN -1
    ELSE 0 END
