-- name: exact_number
-- parameters: s
-- purpose: the digits of a number that a double cannot tell from its neighbours (from 2^53); null for all others
-- nulls: null stays null
-- example: exact_number('9007199254740993') => '9007199254740993'
-- example: exact_number('1e16') => '10000000000000000'
-- example: exact_number('-00012345678901234567.50') => '-12345678901234567.5'
-- example: exact_number('42') => NULL
-- example: exact_number('inf') => NULL
CASE
    -- fewer than 16 characters without an exponent stay below 2^53
    WHEN regexp_full_match(s, '[ -DF-df-~]{0,15}') THEN NULL
    WHEN abs(norm_number(s)) < 9007199254740992 OR NOT isfinite(norm_number(s)) THEN NULL
    WHEN regexp_full_match(plain_digits(s), '[+-]?[0-9]+([.][0-9]*)?')
    THEN regexp_replace(regexp_replace(regexp_replace(plain_digits(s), '^[+]?(-?)0*', '\1'), '([.][0-9]*?)0+$', '\1'), '[.]$', '')
    -- an exponent: all digits of the double
    ELSE format('{:.0f}', norm_number(s))
END
