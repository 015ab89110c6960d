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
12 * (year(as_date(b)) - year(as_date(a))) + month(as_date(b)) - month(as_date(a))
- CASE
    WHEN as_date(b) >= as_date(a) AND day(as_date(b)) < day(as_date(a))
        AND as_date(b) <> last_day(as_date(b)) THEN 1
    WHEN as_date(b) < as_date(a) AND day(as_date(a)) < day(as_date(b))
        AND as_date(a) <> last_day(as_date(a)) THEN -1
    ELSE 0 END
