-- name: start_of_month
-- topic: dates
-- parameters: d
-- purpose: the first day of a date's month, a date
-- nulls: null where it is no date
-- also: month_start, date_trunc, MonthBegin, to_period
-- example: start_of_month(DATE '2024-02-29') => DATE '2024-02-01'
-- example: start_of_month(TIMESTAMP '2024-03-31 23:59:59') => DATE '2024-03-01'
-- example: start_of_month('x') => NULL
date_trunc('month', as_date(d))::DATE
