-- name: plain_digits
-- parameters: s
-- purpose: a number text without white space, thousands marks, currency and percent signs
-- nulls: null stays null
-- example: plain_digits(' $1,000 ') => '1000'
-- example: plain_digits('1_000.0') => '1000.0'
regexp_replace(ascii_digits(s), '[,$%_]|[\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]', '', 'g')
