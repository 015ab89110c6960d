-- name: parse_boolean
-- topic: categories
-- parameters: s
-- purpose: a truth word as true or false: true, t, yes, y, on, 1, x, ✓ and false, f, no, n, off, 0, ✗, in any case
-- nulls: null for any other word
-- also: to_boolean, strtobool, astype.bool, map_bool
-- example: parse_boolean(' Yes') => true
-- example: parse_boolean(0) => false
-- example: parse_boolean('✓') => true
-- example: parse_boolean('maybe') => NULL
-- example: parse_boolean('') => NULL
CASE
    WHEN lower(strip_space(s::VARCHAR)) IN ('true', 't', 'yes', 'y', 'on', '1', '1.0', 'x', '✓', '✔', '☑') THEN true
    WHEN lower(strip_space(s::VARCHAR)) IN ('false', 'f', 'no', 'n', 'off', '0', '0.0', '✗', '✘', '☐') THEN false
END
