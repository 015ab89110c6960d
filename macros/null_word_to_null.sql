-- name: null_word_to_null
-- topic: comparing
-- parameters: s
-- purpose: null where a cell says nothing: empty, none, nan, null, n/a or na, in any case, white space around it; else the cell
-- nulls: null stays null
-- example: null_word_to_null(' N/A ') => NULL
-- example: null_word_to_null('') => NULL
-- example: null_word_to_null(' 0') => ' 0'
-- example: null_word_to_null(' ') => NULL
nullif(regexp_replace(s, '^[\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]*((?i:none|nan|null|n/a|na)[\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]*)?$', ''), '')
