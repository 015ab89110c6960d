-- name: us_phone
-- topic: codes
-- parameters: s
-- purpose: a telephone number of the United States or Canada as (202) 555-0143
-- nulls: null where it has not 10 digits, or 11 from 1
-- also: format_phone
-- example: us_phone('1-202-555-0143') => '(202) 555-0143'
-- example: us_phone('202.555.0143 x9') => '(202) 555-0143'
-- example: us_phone('555-0143') => NULL
CASE WHEN regexp_matches(phone_digits(s), '^(?:[+]?1)?[2-9][0-9]{9}$')
THEN regexp_replace(phone_digits(s), '^(?:[+]?1)?([0-9]{3})([0-9]{3})([0-9]{4})$', '(\1) \2-\3') END
