-- name: last_word
-- topic: text
-- parameters: s
-- purpose: the text after the last white space
-- nulls: null where there is nothing
-- also: last_name
-- example: last_word('Ada King  Lovelace ') => 'Lovelace'
-- example: last_word('Ada') => 'Ada'
-- example: last_word('') => NULL
nullif(split_part(squeeze_space(s), ' ', -1), '')
