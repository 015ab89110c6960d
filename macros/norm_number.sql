-- name: norm_number
-- topic: comparing
-- parameters: s
-- purpose: a text as a number: what Python float() takes once , $ % are deleted; anything else is null
-- nulls: null words and null are null
-- example: norm_number('$1,234.50') => 1234.5
-- example: norm_number(' 12 %') => 12
-- example: norm_number('1e3') => 1000
-- example: norm_number('1_000') => 1000
-- example: norm_number('.5') => 0.5
-- example: norm_number('5.') => 5
-- example: norm_number('-inf') => '-inf'::DOUBLE
-- example: norm_number('nan') => NULL
-- example: norm_number('($3)') => NULL
-- example: norm_number('٤') => 4
-- example: norm_number('1__0') => NULL
-- example: norm_number(concat('1', chr(28))) => 1
-- example: norm_number(concat('1', chr(28), '$')) => NULL
CASE
    -- plain digits: most cells
    WHEN regexp_full_match(s, '[+-]?[0-9]+([.][0-9]+)?') THEN try_cast(s AS DOUBLE) + 0.0::DOUBLE
    ELSE python_float(regexp_replace(ascii_digits(null_word_to_null(strip_space(s))), '[,$%][\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]*', '', 'g'))
END
