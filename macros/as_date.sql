-- name: as_date
-- topic: parts
-- parameters: d
-- purpose: a date, a timestamp or an ISO text as a date of the years 1 to 9999
-- nulls: null where it is none
-- example: as_date('2024-02-29') => DATE '2024-02-29'
-- example: as_date(TIMESTAMP '2024-02-29 23:59:59') => DATE '2024-02-29'
-- example: as_date('2023-02-29') => NULL
-- example: as_date('infinity') => NULL
CASE WHEN try_cast(d AS DATE) BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN try_cast(d AS DATE) END
