-- name: text_after
-- topic: text
-- parameters: s, mark
-- purpose: what stands after the first mark
-- nulls: null where the mark is absent; empty where the text ends with it
-- also: TEXTAFTER, substring_after
-- example: text_after('key=a=b', '=') => 'a=b'
-- example: text_after('é→x', '→') => 'x'
-- example: text_after('key', '=') => NULL
CASE WHEN strpos(s, mark) > 0 THEN substr(s, strpos(s, mark) + length(mark)) END
