-- name: year_month
-- topic: dates
-- parameters: d
-- purpose: a date's year and month: 2024-03
-- nulls: null where it is no date
-- also: to_period.M, year_month_label
-- example: year_month(DATE '2024-03-31') => '2024-03'
-- example: year_month('x') => NULL
-- example: year_month(TIMESTAMP '2023-12-31 23:59:59') => '2023-12'
strftime(as_date(d), '%Y-%m')
