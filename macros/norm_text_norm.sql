-- name: norm_text_norm
-- topic: comparing
-- parameters: s
-- purpose: a text as it is compared where case and white space do not count
-- nulls: null stays null
-- example: norm_text_norm(E' Ann \t LEE ') => 'ann lee'
-- example: norm_text_norm('n/a') => NULL
regexp_replace(lower(strip_space(norm_text_exact(s))), '[\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]+', ' ', 'g')
