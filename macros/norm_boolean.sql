-- name: norm_boolean
-- topic: comparing
-- parameters: s
-- purpose: a truth word as true or false; an unknown word stays, trimmed and in lower case
-- nulls: null words and null are null
-- example: norm_boolean(' Yes') => 'true'
-- example: norm_boolean('0') => 'false'
-- example: norm_boolean('是') => 'true'
-- example: norm_boolean('Maybe ') => 'maybe'
-- example: norm_boolean('NA') => NULL
CASE
    WHEN null_word_to_null(lower(strip_space(s))) IN ('true', '1', 'yes', 'y', 't', '是') THEN 'true'
    WHEN null_word_to_null(lower(strip_space(s))) IN ('false', '0', 'no', 'n', 'f', '否') THEN 'false'
    ELSE null_word_to_null(lower(strip_space(s)))
END
