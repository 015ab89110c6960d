-- name: keep_letters
-- topic: text
-- parameters: s
-- purpose: the letters of the text and nothing else, of any script
-- nulls: null where there is none
-- also: letters_only, only_letters, isalpha
-- example: keep_letters('Zoë-42 x') => 'Zoëx'
-- example: keep_letters('42') => NULL
-- example: keep_letters(NULL) => NULL
nullif(regexp_replace(s, '[^\p{L}\p{M}]', '', 'g'), '')
