-- name: range_mark
-- topic: parts
-- parameters: s
-- purpose: the text of a range with | between its two numbers
-- nulls: null stays null
-- example: range_mark('10 to 20') => '10|20'
-- example: range_mark('-5--1') => '-5|-1'
-- example: range_mark('7') => '7'
regexp_replace(strip_space(lower(s::VARCHAR)), '^([^0-9]{0,3}[0-9][0-9., ]*?)\s*(?:to|-|–|—|[.]{2,3}|…)\s*([^0-9]{0,3}[0-9][^|]*)$', '\1|\2')
