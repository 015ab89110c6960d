-- name: pandas_number
-- topic: numbers
-- parameters: s
-- purpose: the number that a text is, as pandas' to_numeric with errors='coerce'; null where it is none
-- nulls: null stays null
-- example: pandas_number(' -1.5e2 ') => -150
-- example: pandas_number('1,000') => NULL
-- example: pandas_number('1_000') => NULL
-- example: pandas_number('') => NULL
try_cast(nullif(regexp_extract(s, '^\s*([+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?(?i:inf|infinity))\s*$', 1), '') AS DOUBLE)
