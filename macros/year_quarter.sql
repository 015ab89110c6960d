-- name: year_quarter
-- topic: dates
-- parameters: d, separator := '-'
-- purpose: a date's year and calendar quarter: 2024-Q1
-- nulls: null where it is no date
-- also: to_period.Q, PeriodIndex, year_qtr
-- example: year_quarter(DATE '2024-03-31') => '2024-Q1'
-- example: year_quarter(DATE '2024-12-31', '') => '2024Q4'
-- example: year_quarter(NULL) => NULL
year(as_date(d)) || separator || 'Q' || quarter(as_date(d))
