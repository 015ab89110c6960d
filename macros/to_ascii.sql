-- name: to_ascii
-- topic: text
-- parameters: s
-- purpose: the text in plain letters: accents dropped, ß as ss, æ as ae, ł as l, curly quotes and long dashes straight; what has no plain letter stays
-- nulls: null stays null
-- also: unidecode, remove_accents, iconv, deburr
-- example: to_ascii('Łódź Straße') => 'Lodz Strasse'
-- example: to_ascii('Ærøskøbing – “Ångström”') => 'AEroskobing - "Angstrom"'
-- example: to_ascii('東京') => '東京'
-- example: to_ascii(NULL) => NULL
CASE WHEN regexp_matches(s::VARCHAR, '[^\x00-\x7f]') THEN
    replace(replace(replace(replace(replace(replace(replace(replace(translate(
        strip_accents(s::VARCHAR),
        'ØøŁłĐđÐðĦħıŦŧ‘’‚‛“”„‟‐‑‒–—―−',
        'OoLlDdDdHhiTt''''''''""""-------'
    ), 'ß', 'ss'), 'ẞ', 'SS'), 'Æ', 'AE'), 'æ', 'ae'), 'Œ', 'OE'), 'œ', 'oe'), 'Þ', 'Th'), 'þ', 'th')
ELSE s::VARCHAR END
