-- name: end_of_quarter
-- topic: dates
-- parameters: d
-- purpose: the last day of a date's calendar quarter, a date
-- nulls: null where it is no date
-- also: quarter_end, QuarterEnd
-- example: end_of_quarter(DATE '2024-02-10') => DATE '2024-03-31'
-- example: end_of_quarter(DATE '2024-10-01') => DATE '2024-12-31'
-- example: end_of_quarter(NULL) => NULL
last_day((date_trunc('quarter', as_date(d)) + INTERVAL 2 MONTH)::DATE)
