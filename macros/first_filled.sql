-- name: first_filled
-- topic: text
-- parameters: a, b
-- purpose: the first of two texts that is not blank
-- nulls: null where both are blank
-- also: combine_first, coalesce_blank, fillna
-- example: first_filled('  ', 'b') => 'b'
-- example: first_filled('a', 'b') => 'a'
-- example: first_filled(NULL, '') => NULL
coalesce(CASE WHEN strip_space(a) <> '' THEN a END, CASE WHEN strip_space(b) <> '' THEN b END)
