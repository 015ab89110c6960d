-- name: match_key
-- topic: text
-- parameters: s
-- purpose: the text folded for joining: lower case, no accents, & as and, everything but letters and digits dropped, single blanks between words
-- nulls: null where no letter or digit is left, so that nothing never matches nothing
-- also: fold_text, fingerprint, normalize_name, join_key, casefold
-- example: match_key('  Café-Noir,  Ltd. ') => 'cafe noir ltd'
-- example: match_key('Smith & Søn') => 'smith and son'
-- example: match_key('O''Brien') => 'obrien'
-- example: match_key('東京 タワー') => '東京 タワー'
-- example: match_key(' -- ') => NULL
nullif(trim(regexp_replace(
    replace(replace(lower(to_ascii(s)), '''', ''), '&', ' and '),
    '[^\p{L}\p{N}]+', ' ', 'g'
), ' '), '')
