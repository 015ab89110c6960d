-- name: is_blank
-- topic: text
-- parameters: s
-- purpose: whether a cell is null, empty or only white space
-- nulls: null is blank
-- also: ISBLANK, str.isspace, isempty
-- example: is_blank(chr(160)) => true
-- example: is_blank('0') => false
-- example: is_blank(NULL) => true
coalesce(strip_space(s::VARCHAR), '') = ''
