-- name: unquote_once
-- parameters: s
-- purpose: the trimmed text without one pair of equal outer quotes
-- nulls: null stays null
-- example: unquote_once(' "a" ') => 'a'
-- example: unquote_once('""a""') => '"a"'
-- example: unquote_once('"a''') => '"a'''
-- example: unquote_once('"') => '"'
CASE
    WHEN length(strip_space(s)) > 1 AND left(strip_space(s), 1) IN ('"', '''') AND left(strip_space(s), 1) = right(strip_space(s), 1)
    THEN substring(strip_space(s), 2, length(strip_space(s)) - 2)
    ELSE strip_space(s)
END
