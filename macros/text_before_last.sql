-- name: text_before_last
-- topic: text
-- parameters: s, mark
-- purpose: what stands before the last mark
-- nulls: null where the mark is absent
-- also: str.rpartition, str.rsplit
-- example: text_before_last('a/b/c', '/') => 'a/b'
-- example: text_before_last('abc', '/') => NULL
-- example: text_before_last('x--y--z', '--') => 'x--y'
CASE WHEN strpos(s, mark) > 0 THEN left(s, length(s) - length(split_part(s, mark, -1)) - length(mark)) END
