-- name: quick_kind
-- topic: parts
-- parameters: s
-- purpose: the kind of a text that is in small letters and has no spare white space (see cell_kind) where it is soon told: all but dates not ISO and dressed numbers
-- nulls: null where it takes a closer look, and where the text is null
-- example: quick_kind('n/a') => 'null word'
-- example: quick_kind('yes') => 'boolean'
-- example: quick_kind('12') => 'integer'
-- example: quick_kind('7:00p') => 'time'
-- example: quick_kind('user 5') => 'text'
-- example: quick_kind('3f2504e0-4f89-11d3-9a0c-0305e82c3301') => 'text'
-- example: quick_kind('usd 5') => NULL
-- example: quick_kind('5/3/24') => NULL
CASE
    WHEN length(s) > 45 THEN 'text'
    WHEN NOT regexp_matches(s, '[0-9]') THEN CASE
        WHEN length(s) > 24 THEN 'text'
        WHEN s IN ('true', 'false', 'yes', 'no', 'y', 'n', '✓', '✔', '✗', '✘') THEN 'boolean'
        WHEN null_word_of(s) THEN 'null word'
        WHEN regexp_full_match(s, '[^½¼¾⅓⅔]*') THEN 'text' END
    WHEN length(s) <= 19 AND regexp_full_match(s, '[-+]?(?:0|[1-9][0-9]{0,17})') THEN 'integer'
    -- begins as neither a date nor a number does
    WHEN regexp_matches(s, '^[a-z]') AND NOT regexp_matches(s, '^(?:the |jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|[a-z]?[a-z]?[a-z]?\p{Sc}|(?:usd|eur|gbp|jpy|cny|inr|chf|cad|aud|nzd|sek|nok|dkk|pln|rs[.]?|kr[.]?) ?[-+0-9])')
        THEN 'text'
    WHEN length(s) <= 35 AND (contains(s, '.') OR contains(s, 'e')) AND regexp_full_match(s, '[-+]?(?:[0-9]+[.][0-9]*|[.][0-9]+)(?:e[-+]?[0-9]+)?|[-+]?[0-9]e[-+][0-9]+') THEN 'decimal'
    WHEN length(s) = 10 AND regexp_full_match(s, '(?:1[5-9]|2[0-9]|99)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])') THEN 'date'
    WHEN length(s) BETWEEN 16 AND 35 AND regexp_full_match(s, '(?:1[5-9]|2[0-9]|99)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[ t][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]+)?)?') THEN 'timestamp'
    -- letters and digits by turns: a code or a hash
    WHEN length(s) > 9 AND regexp_matches(s, '(?:[a-z][^a-z0-9]*[0-9]+[^a-z0-9]*){3}[a-z]') THEN 'text'
    WHEN length(s) < 16 AND regexp_full_match(s, '[0-9]{1,3}[:h][0-5][0-9](?::[0-5][0-9](?:[.][0-9]+)?)?(?: ?[ap][.]?m?[.]?)?|(?:1[0-2]|0?[1-9])(?:[.][0-5][0-9])? ?[ap][.]?m[.]?') THEN 'time'
    WHEN regexp_full_match(s, '[0-9]+') THEN 'digits'
END
