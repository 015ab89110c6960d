-- name: name_similarity
-- topic: matching
-- parameters: a, b
-- purpose: how alike two names are by Jaro and Winkler, 0 to 1, the beginning weighing more; case, accents and punctuation play no part
-- nulls: null where either has no letter or digit
-- also: jaro_winkler, fuzz.WRatio, JAROWINKLER_SIMILARITY
-- example: round(name_similarity('MARTHA', 'marhta'), 4) => 0.9611
-- example: name_similarity('Søn & Co', 'son and co.') => 1
-- example: name_similarity(NULL, 'a') => NULL
jaro_winkler_similarity(match_key(a), match_key(b))
