-- name: keep_digits
-- topic: text
-- parameters: s
-- purpose: the digits of the text and nothing else
-- nulls: null where there is none
-- also: digits_only, only_digits
-- example: keep_digits('(020) 7946-0018') => '02079460018'
-- example: keep_digits('n/a') => NULL
-- example: keep_digits('٤2') => '42'
nullif(regexp_replace(ascii_digits(s), '[^0-9]', '', 'g'), '')
