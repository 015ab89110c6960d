-- name: end_of_month
-- topic: dates
-- parameters: d
-- purpose: the last day of a date's month, a date
-- nulls: null where it is no date
-- also: month_end, EOMONTH, last_day, MonthEnd, days_in_month
-- example: end_of_month(DATE '2024-02-01') => DATE '2024-02-29'
-- example: end_of_month('2023-02-01') => DATE '2023-02-28'
-- example: end_of_month(NULL) => NULL
last_day(as_date(d))
