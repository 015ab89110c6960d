-- name: cell_kind_of
-- topic: parts
-- parameters: s
-- purpose: the kind of a text that is in small letters and has no spare white space; see cell_kind
-- nulls: null is text
-- example: cell_kind_of('1,021') => 'number'
-- example: cell_kind_of('n/a') => 'null word'
-- example: cell_kind_of('yes') => 'boolean'
CASE
    WHEN NOT regexp_matches(s, '[0-9]') THEN CASE
        WHEN s IN ('true', 'false', 'yes', 'no', 'y', 'n', '✓', '✔', '✗', '✘') THEN 'boolean'
        WHEN length(s) <= 24 AND is_null_word(s) THEN 'null word'
        ELSE 'text' END
    WHEN length(s) > 60 THEN 'text'
    WHEN regexp_full_match(s, '[-+]?(?:0|[1-9][0-9]{0,17})') THEN 'integer'
    WHEN regexp_full_match(s, '[0-9]+') THEN 'digits'
    WHEN regexp_full_match(s, '[-+]?(?:[0-9]+[.][0-9]*|[.][0-9]+)(?:e[-+]?[0-9]{1,3})?|[-+]?[0-9]e[-+][0-9]{1,3}') THEN 'decimal'
    -- three numbers with marks between: a date, with a time of day or without
    WHEN regexp_matches(s, '^[0-9]{1,4}[-/._ ][0-9]{1,2}[-/._ ][0-9]{1,4}(?:[^0-9]|$)') THEN CASE
        WHEN NOT regexp_matches(s, '^(?:(?:1[5-9]|2[0-9])[0-9]{2}[-/._](?:0?[1-9]|1[0-2])[-/._](?:0?[1-9]|[12][0-9]|3[01])|(?:0?[1-9]|[12][0-9]|3[01])[-/._ ](?:0?[1-9]|[12][0-9]|3[01])[-/._ ](?:(?:1[5-9]|2[0-9])[0-9]{2}|[0-9]{2}))(?:[^0-9]|$)')
            THEN CASE WHEN number_form_of(s) IS NULL THEN 'text' ELSE 'number' END
        WHEN length(s) <= 10 THEN 'date'
        WHEN regexp_matches(s, '[0-9](?:t| t|,? )[0-9]{1,2}(?:[:.h][0-9]{2}){1,2}(?:[.,][0-9]+)?(?: ?[ap][.]?m?[.]?)?(?: ?(?:z|utc|gmt|[-+][0-9]{2}:?(?:[0-9]{2})?))?$') THEN 'timestamp'
        ELSE 'text' END
    WHEN regexp_full_match(s, '[0-9]{1,3}[:h][0-5][0-9](?::[0-5][0-9](?:[.][0-9]+)?)?(?: ?[ap][.]?m?[.]?)?|(?:1[0-2]|0?[1-9])(?:[.][0-5][0-9])? ?[ap][.]?m[.]?') THEN 'time'
    WHEN regexp_full_match(s, '(?:19|20)[0-9]{2}[-/](?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])/(?:19|20)[0-9]{2}') THEN 'month'
    WHEN length(s) <= 40 AND regexp_matches(s, '(?:^|[^a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)')
        AND date_form_of(date_skeleton(s)) IS NOT NULL THEN split_part(date_form_of(date_skeleton(s)), ' ', 1)
    -- a number at the front, after signs or a currency, with little behind it
    WHEN regexp_full_match(s, '[^0-9a-z]{0,3}(?:[a-z]{0,3}\p{Sc}|usd|eur|gbp|jpy|cny|inr|chf|cad|aud|nzd|sek|nok|dkk|pln|rs[.]?|kr[.]?)?[^0-9a-z]{0,3}[0-9][0-9.,’'' ]*(?:[^0-9]{0,30}[23]?|[^0-9]{0,6}[(\[][^()\[\]]{1,30}[)\]])')
        AND number_form_of(s) IS NOT NULL THEN 'number'
    ELSE 'text'
END
