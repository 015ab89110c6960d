-- name: capture_last
-- topic: text
-- parameters: s, pattern
-- purpose: the last match of a regular expression
-- nulls: null where it matches nothing
-- also: regexp_last, re.findall
-- example: capture_last('12 of 345', '\d+') => '345'
-- example: capture_last('none', '\d+') => NULL
-- example: capture_last(NULL, '\d+') => NULL
list_extract(regexp_extract_all(s::VARCHAR, pattern), -1)
