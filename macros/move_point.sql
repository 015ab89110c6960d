-- name: move_point
-- topic: comparing
-- parameters: s, places
-- purpose: the digits of a number of at least 1 with its point so many places to the right (to the left where negative)
-- nulls: null where either is null
-- example: move_point('-1.25', 3) => '-1250.'
-- example: move_point('123456', -2) => '1234.56'
-- example: move_point('.00125', 5) => '00125.'
-- example: move_point('15', 0) => '15.'
regexp_extract(s, '^-?')
|| rpad(replace(ltrim(s, '-'), '.', ''), (length(regexp_extract(s, '^-?([0-9]*)', 1)) + places)::INTEGER, '0')
|| '.'
|| substr(replace(ltrim(s, '-'), '.', ''), length(regexp_extract(s, '^-?([0-9]*)', 1)) + places + 1)
