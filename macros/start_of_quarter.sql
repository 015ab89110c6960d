-- name: start_of_quarter
-- topic: dates
-- parameters: d
-- purpose: the first day of a date's calendar quarter, a date
-- nulls: null where it is no date
-- also: quarter_start, QuarterBegin
-- example: start_of_quarter(DATE '2024-12-31') => DATE '2024-10-01'
-- example: start_of_quarter(DATE '2024-01-01') => DATE '2024-01-01'
-- example: start_of_quarter('x') => NULL
date_trunc('quarter', as_date(d))::DATE
