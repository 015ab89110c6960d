-- name: weekdays_before
-- topic: parts
-- parameters: d
-- purpose: how many days from Monday to Friday lie between Monday, 1 January 1900 and a date, which is not counted
-- nulls: null stays null
-- example: weekdays_before(DATE '1900-01-01') => 0
-- example: weekdays_before(DATE '1900-01-08') => 5
-- example: weekdays_before(DATE '1899-12-31') => 0
-- example: weekdays_before(DATE '1899-12-29') => -1
(5 * floor((d - DATE '1900-01-01') / 7) + least(isodow(d) - 1, 5))::BIGINT
