-- name: unquote_once
-- parameters: s
-- purpose: a text without one pair of equal outer quotes
-- nulls: null stays null
-- example: unquote_once('"a "') => 'a '
-- example: unquote_once('""a""') => '"a"'
-- example: unquote_once('"a''') => '"a'''
-- example: unquote_once('"') => '"'
-- example: unquote_once('''''') => ''
regexp_replace(s, '^"(.*)"$|^''(.*)''$', '\1\2', 's')
