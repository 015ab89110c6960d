-- name: squeeze_space
-- topic: text
-- parameters: s
-- purpose: the text with every run of white space, of any kind Unicode knows, as one blank, and none at the ends
-- nulls: null stays null
-- also: squish, TRIM, normalize_whitespace, squeeze_whitespace, str.split.join
-- example: squeeze_space(E'  a \t\n b ') => 'a b'
-- example: squeeze_space('a' || chr(160) || chr(8239) || 'b' || chr(12288)) => 'a b'
-- example: squeeze_space('') => ''
-- example: squeeze_space(NULL) => NULL
CASE
    -- plain words with single blanks: most cells
    WHEN regexp_full_match(s::VARCHAR, '[!-~]+(?: [!-~]+)*') THEN s::VARCHAR
    ELSE trim(regexp_replace(s::VARCHAR, '[\s\p{Z}\x0b\x1c-\x1f\x{85}]+', ' ', 'g'), ' ')
END
