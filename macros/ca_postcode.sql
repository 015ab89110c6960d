-- name: ca_postcode
-- topic: codes
-- parameters: s
-- purpose: a Canadian postcode in capitals with its blank
-- nulls: null where it is none by its shape
-- also: postal_code
-- example: ca_postcode('k1a0b1') => 'K1A 0B1'
-- example: ca_postcode('K1A-0B1') => 'K1A 0B1'
-- example: ca_postcode('D1A 0B1') => NULL
regexp_replace(nullif(regexp_extract(
    regexp_replace(squeeze_space(upper(s)), '[- ]', '', 'g'), '^[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z][0-9][ABCEGHJ-NPRSTV-Z][0-9]$'
), ''), '(...)$', ' \1')
