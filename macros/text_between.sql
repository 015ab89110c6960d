-- name: text_between
-- topic: text
-- parameters: s, opening, closing
-- purpose: what stands between the first opening mark and the next closing one
-- nulls: null where either is absent
-- also: substring_between, extract_brackets
-- example: text_between('Widget (blue) (L)', '(', ')') => 'blue'
-- example: text_between('a "b" c', '"', '"') => 'b'
-- example: text_between('a (b', '(', ')') => NULL
text_before(text_after(s, opening), closing)
