-- name: is_null_word
-- parameters: s
-- purpose: whether a cell says nothing: empty, none, nan, null, n/a or na, in any case, white space around it
-- nulls: null says nothing
-- example: is_null_word(' N/A ') => true
-- example: is_null_word('') => true
-- example: is_null_word('0') => false
-- example: is_null_word(NULL) => true
coalesce(lower(strip_space(s)) IN ('', 'none', 'nan', 'null', 'n/a', 'na'), true)
