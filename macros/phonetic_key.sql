-- name: phonetic_key
-- topic: matching
-- parameters: s
-- purpose: how an English word sounds, after Metaphone: X for sh and ch, 0 for th, vowels only in front, nothing doubled
-- nulls: null where there is no letter from A to Z, accents dropped
-- also: metaphone, double_metaphone, jellyfish.metaphone
-- example: phonetic_key('Knight') => 'NT'
-- example: phonetic_key('night') => 'NT'
-- example: phonetic_key('Philip') = phonetic_key('Fillip') => true
-- example: phonetic_key('Catherine') = phonetic_key('Kathryn') => true
-- example: phonetic_key('nation') => 'NXN'
-- example: phonetic_key('Schmidt') => 'SKMT'
-- example: phonetic_key('Why') => 'W'
-- example: phonetic_key('!') => NULL
coalesce(nullif(
    regexp_replace(regexp_replace(regexp_replace(translate(
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
        upper_letters(s),
        '(B)B+|(D)D+|(F)F+|(G)G+|(K)K+|(L)L+|(M)M+|(N)N+|(P)P+', '\1\2\3\4\5\6\7\8\9', 'g'),
        '(R)R+|(S)S+|(T)T+|(Z)Z+|(V)V+|(X)X+|(J)J+|(Q)Q+|(W)W+', '\1\2\3\4\5\6\7\8\9', 'g'),
        '^(?:[KGP](N)|A(E)|W(R))', '\1\2\3'),
        '^X', 'S'),
        'X', 'KS', 'g'),
        'SCH', 'SK', 'g'),
        'T?CH|CIA|SH|[ST]I([AO])', 'X\1', 'g'),
        'DG([EIY])', 'J\1', 'g'),
        'C([EIY])', 'S\1', 'g'),
        'PH|V', 'F', 'g'),
        'TH', '0', 'g'),
        'GH([^AEIOUY]|$)', '\1', 'g'),
        '(M)B$|G(N)$', '\1\2'),
        'G([EIY])', 'J\1', 'g'),
        'CGQZD', 'KKKST'),
        '^(W)H|[WYH]([^AEIOU]|$)', '\1\2', 'g'),
        '([^AEIOU])[AEIOU]+|^([AEIOU])[AEIOU]+', '\1\2', 'g'),
        '(T)T+|(K)K+|(S)S+|(F)F+|(N)N+|(M)M+|(X)X+|(0)0+|(J)J+', '\1\2\3\4\5\6\7\8\9', 'g'),
''), left(upper_letters(s), 1))
