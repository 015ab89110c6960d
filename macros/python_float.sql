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
CASE
    WHEN regexp_full_match(strip_space(s), '[+-]?([0-9](_?[0-9])*[.]?([0-9](_?[0-9])*)?|[.][0-9](_?[0-9])*)([eE][+-]?[0-9](_?[0-9])*)?')
    -- adding 0 makes -0 the same key as 0
    THEN try_cast(replace(strip_space(s), '_', '') AS DOUBLE) + 0.0::DOUBLE
    WHEN regexp_full_match(strip_space(s), '[+]?[iI][nN][fF]([iI][nN][iI][tT][yY])?') THEN 'inf'::DOUBLE
    WHEN regexp_full_match(strip_space(s), '-[iI][nN][fF]([iI][nN][iI][tT][yY])?') THEN '-inf'::DOUBLE
    WHEN regexp_full_match(strip_space(s), '[+-]?[nN][aA][nN]') THEN 'nan'::DOUBLE
END
