-- name: python_float
-- parameters: s
-- purpose: what Python float() makes of a text; null where it would refuse
-- nulls: null stays null
-- example: python_float(' +1_0.5e-1 ') => 1.05
-- example: python_float('Infinity') => 'inf'::DOUBLE
-- example: python_float('-nan') => 'nan'::DOUBLE
-- example: python_float('1e999') => 'inf'::DOUBLE
-- example: python_float('0x10') => NULL
-- example: python_float('1_') => NULL
-- example: python_float(concat('1', chr(160))) => 1
-- example: python_float(concat('1', chr(28))) => NULL
-- adding 0 makes -0 the same number as 0
try_cast(replace(regexp_extract(
    -- float() itself takes U+001C to 001F for no space, unlike strip()
    CASE WHEN regexp_matches(s, '^[^0-9A-Za-z.+-]*[\x1c-\x1f]|[\x1c-\x1f][^0-9A-Za-z.]*$') THEN NULL ELSE strip_space(s) END,
    '^([+-]?(?:[0-9](?:_?[0-9])*[.]?(?:[0-9](?:_?[0-9])*)?|[.][0-9](?:_?[0-9])*)(?:[eE][+-]?[0-9](?:_?[0-9])*)?|[+-]?(?:[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN]))$'
), '_', '') AS DOUBLE) + 0.0::DOUBLE
