-- name: is_weekend
-- topic: dates
-- parameters: d
-- purpose: whether a date is a Saturday or a Sunday
-- nulls: null where it is no date
-- also: weekday, dt.dayofweek
-- example: is_weekend(DATE '2024-03-03') => true
-- example: is_weekend(DATE '2024-03-04') => false
-- example: is_weekend(NULL) => NULL
isodow(as_date(d)) > 5
