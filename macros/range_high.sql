-- name: range_high
-- topic: numbers
-- parameters: s
-- purpose: the upper number of a range written 10-20, 10 to 20, 10–20 or a single number
-- nulls: null where it is no range
-- example: range_high('10 – 20') => 20
-- example: range_high('-5 to 5') => 5
-- example: range_high('7') => 7
-- example: range_high(NULL) => NULL
parse_number(coalesce(text_after(range_mark(s), '|'), s::VARCHAR))
