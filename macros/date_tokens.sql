-- name: date_tokens
-- topic: parts
-- parameters: s
-- purpose: the parts of a written date with hyphens between, month names as three small letters; weekdays, ordinals and a time of day are dropped
-- nulls: null stays null
-- example: date_tokens('Tue, 5th of September 2024, 10:00') => '5-sep-2024'
-- example: date_tokens('2024年3月5日') => '2024-3-5'
-- example: date_tokens('25th_July_2021') => '25-jul-2021'
-- example: date_tokens(' 5/3 2024') => '5-3-2024'
rtrim(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    lower(squeeze_space(s)),
    '(?:[ ,]+|t)[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?: ?[ap][.]?m[.]?)?(?: ?(?:z|utc|gmt|[+-][0-9]{2}:?[0-9]{2}))?$', ''),
    '^(?:mon(?:day)?|tue(?:s|sday)?|wed(?:s|nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)[., ]+', ''),
    '([0-9])(?:st|nd|rd|th)(?:\b|(_))|\b(?:the|of) ', '\1\2', 'g'),
    '(jan)uary|(feb)ruary|(mar)ch|(apr)il|(ju[nl])[ey]|(aug)ust|(sep)t(?:ember)?|(oct)ober|(nov|dec)ember', '\1\2\3\4\5\6\7\8\9'),
    '[- .,/_\\''’‘‐‑‒–—―年月]+', '-', 'g'
), '-日')
