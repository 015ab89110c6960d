-- name: strip_space
-- topic: text
-- parameters: s
-- purpose: the text without white space at its ends, all that Unicode calls so
-- nulls: null stays null
-- example: strip_space(chr(160) || ' a b' || chr(9)) => 'a b'
-- example: strip_space('A0') => 'A0'
-- example: strip_space('') => ''
-- example: strip_space(NULL) => NULL
trim(
    s,
    -- U+0009 to 000D, 001C to 0020, 0085, 00A0, 1680, 2000 to 200A, 2028, 2029, 202F, 205F, 3000, in UTF-8
    decode(unhex('20090A0B0C0D1C1D1E1FC285C2A0E19A80E28080E28081E28082E28083E28084E28085E28086E28087E28088E28089E2808AE280A8E280A9E280AFE2819FE38080'))
)
