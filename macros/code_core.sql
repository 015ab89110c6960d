-- name: code_core
-- topic: parts
-- parameters: s
-- purpose: a code in capitals without blanks and hyphens
-- nulls: null stays null
-- example: code_core(' gb82-west 12') => 'GB82WEST12'
-- example: code_core(42) => '42'
-- example: code_core(NULL) => NULL
regexp_replace(upper(squeeze_space(s)), '[- ]', '', 'g')
