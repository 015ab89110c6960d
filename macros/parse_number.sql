-- name: parse_number
-- topic: numbers
-- parameters: s, decimal_sign := '.'
-- purpose: a number as people write it: currency signs and codes, percent sign, thousands (in groups of three, or Indian), parentheses or a trailing minus for negative; the decimal sign is . or ,
-- nulls: null where it is no such number; 12 % is 12, see parse_percent
-- also: to_number, to_numeric, NUMBERVALUE, parse_currency, TRY_TO_NUMBER, TRY_TO_DECIMAL, str.replace.astype
-- example: parse_number('$1,234.50') => 1234.5
-- example: parse_number('1.299,99 €', ',') => 1299.99
-- example: parse_number('(USD 3)') => -3
-- example: parse_number('1 234 567-') => -1234567
-- example: parse_number('−12 %') => -12
-- example: parse_number('1.299,99') => NULL
-- example: parse_number('1,23') => NULL
-- example: parse_number('12 apples') => NULL
-- example: parse_number('.5e3') => 500
nullif(nullif(try_cast(replace(replace(regexp_extract(
    CASE decimal_sign WHEN ',' THEN translate(number_core(s), '.,', ',.') WHEN '.' THEN number_core(s)
    ELSE error('parse_number: decimal_sign is . or ,') END,
    '^[-+]?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}|[0-9]{1,3}(?: [0-9]{2,3})* [0-9]{3})?(?:[.][0-9]*)?(?:e[-+]?[0-9]{1,3})?$'
), ',', ''), ' ', '') AS DOUBLE), 'infinity'::DOUBLE), '-infinity'::DOUBLE)
