-- name: soundex_key
-- topic: matching
-- parameters: s
-- purpose: the American Soundex of a word: its first letter and three digits for how it goes on
-- nulls: null where there is no letter from A to Z, accents dropped
-- also: soundex, jellyfish.soundex
-- example: soundex_key('Robert') => 'R163'
-- example: soundex_key('Ashcraft') => 'A261'
-- example: soundex_key('Tymczak') => 'T522'
-- example: soundex_key('Pfister') => 'P236'
-- example: soundex_key('Müller') => 'M460'
-- example: soundex_key('42') => NULL
left(upper_letters(s), 1) || rpad(left(replace(substr(
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
        translate(
            left(upper_letters(s), 1) || translate(substr(upper_letters(s), 2), 'HW', ''),
            'AEIOUYHWBFPVCGJKQSXZDTLMNR', '00000000111122222222334556'
        ), '1+', '1', 'g'), '2+', '2', 'g'), '3+', '3', 'g'), '4+', '4', 'g'), '5+', '5', 'g'), '6+', '6', 'g'),
    2), '0', ''), 3), 3, '0')
