-- name: quarter_label
-- topic: dates
-- parameters: d
-- purpose: a date's calendar quarter as Q1 to Q4
-- nulls: null where it is no date
-- also: dt.quarter, quarter_name
-- example: quarter_label(DATE '2024-03-31') => 'Q1'
-- example: quarter_label(DATE '2024-10-01') => 'Q4'
-- example: quarter_label('x') => NULL
'Q' || quarter(as_date(d))
