-- name: exact_number
-- topic: comparing
-- parameters: s, x
-- purpose: the digits of s, the number x, where a double cannot tell it from its neighbours (from 2^53); null for all others
-- nulls: null stays null
-- example: exact_number('9007199254740993', 9007199254740992) => '9007199254740993'
-- example: exact_number('9007199254740993e0', 9007199254740992) => '9007199254740993'
-- example: exact_number('1e16', 1e16) => '10000000000000000'
-- example: exact_number('-0.90071992547409935E+16', -9007199254740994) => '-9007199254740993.5'
-- example: exact_number('90071992547409930_0e-2', 9007199254740992) => '9007199254740993'
-- example: exact_number('-00012345678901234567.50', -12345678901234567) => '-12345678901234567.5'
-- example: exact_number('$12,345,678,901,234,567.00', 12345678901234567) => '12345678901234567'
-- example: exact_number('42', 42) => NULL
-- example: exact_number('inf', 'inf'::DOUBLE) => NULL
CASE
    WHEN x IS NULL OR abs(x) < 9007199254740992 OR NOT isfinite(x) THEN NULL
    ELSE regexp_replace(regexp_replace(
        move_point(
            regexp_replace(split_part(ascii_digits(lower(s)), 'e', 1), '[^0-9.-]', '', 'g'),
            coalesce(try_cast(regexp_replace(split_part(ascii_digits(lower(s)), 'e', 2), '[^0-9-]', '', 'g') AS INTEGER), 0)
        ), '^(-?)0*', '\1'), '[.]0*$|([.][0-9]*?)0+$', '\1')
END
