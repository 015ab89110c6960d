-- name: uk_postcode
-- topic: codes
-- parameters: s
-- purpose: a British postcode in capitals with its blank
-- nulls: null where it is none by its shape
-- also: postcode
-- example: uk_postcode('sw1a1aa') => 'SW1A 1AA'
-- example: uk_postcode(' M1  1AE ') => 'M1 1AE'
-- example: uk_postcode('12345') => NULL
regexp_replace(nullif(regexp_extract(
    replace(squeeze_space(upper(s)), ' ', ''),
    '^(?:GIR0AA|(?:[A-PR-UWYZ][0-9][0-9A-HJKPSTUW]?|[A-PR-UWYZ][A-HK-Y][0-9][0-9ABEHMNPRVWXY]?)[0-9][ABD-HJLNP-UW-Z]{2})$'
), ''), '(...)$', ' \1')
