-- name: upper_letters
-- topic: parts
-- parameters: s
-- purpose: the letters from A to Z of a text, as capitals, accents dropped
-- nulls: null where there is none
-- example: upper_letters('O''Brien-Müller 3') => 'OBRIENMULLER'
-- example: upper_letters('東京') => NULL
-- example: upper_letters('') => NULL
nullif(regexp_replace(upper(to_ascii(s)), '[^A-Z]', '', 'g'), '')
