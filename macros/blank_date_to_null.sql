-- name: blank_date_to_null
-- topic: comparing
-- parameters: s
-- purpose: null where a date cell says nothing: empty, na, n/a or null, in any case; else the cell
-- nulls: null stays null
-- example: blank_date_to_null('NA') => NULL
-- example: blank_date_to_null('none') => 'none'
-- example: blank_date_to_null('') => NULL
nullif(regexp_replace(s, '^(?i:na|n/a|null)$', ''), '')
