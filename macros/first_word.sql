-- name: first_word
-- topic: text
-- parameters: s
-- purpose: the text up to the first white space
-- nulls: null where there is nothing
-- example: first_word('  Ada King') => 'Ada'
-- example: first_word('Ada') => 'Ada'
-- example: first_word(' ') => NULL
nullif(split_part(squeeze_space(s), ' ', 1), '')
