-- name: strip_space
-- parameters: s
-- purpose: the text without white space at its ends, all that Unicode calls so
-- nulls: null stays null
-- example: strip_space(chr(160) || ' a b' || chr(9)) => 'a b'
-- example: strip_space('A0') => 'A0'
-- example: strip_space('') => ''
-- example: strip_space(NULL) => NULL
trim(
    s,
    E' \t\n\r' || chr(11) || chr(12) || chr(28) || chr(29) || chr(30) || chr(31) || chr(133) || chr(160) || chr(5760)
    || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200)
    || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288)
)
