-- name: is_blank_date
-- parameters: s
-- purpose: whether a date cell says nothing: empty, na, n/a or null
-- nulls: null says nothing
-- example: is_blank_date(' NA') => true
-- example: is_blank_date('none') => false
-- example: is_blank_date(NULL) => true
coalesce(lower(strip_space(s)) IN ('', 'na', 'n/a', 'null'), true)
