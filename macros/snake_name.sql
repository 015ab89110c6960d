-- name: snake_name
-- topic: text
-- parameters: s
-- purpose: a column's name from a heading: small plain letters and digits with underscores between
-- nulls: null where nothing is left
-- also: snake_case, clean_names
-- example: snake_name('Unit Price (€)') => 'unit_price'
-- example: snake_name('orderID') => 'order_id'
-- example: snake_name('%') => NULL
replace(match_key(regexp_replace(s, '(\p{Ll}|[0-9])(\p{Lu})', '\1 \2', 'g')), ' ', '_')
