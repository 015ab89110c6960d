-- name: slug
-- topic: text
-- parameters: s
-- purpose: the text in small plain letters and digits with hyphens between, for addresses and file names
-- nulls: null where nothing is left
-- also: slugify, kebab_case
-- example: slug('  Crème Brûlée & Co. ') => 'creme-brulee-and-co'
-- example: slug('***') => NULL
-- example: slug('2024 Q1') => '2024-q1'
replace(match_key(s), ' ', '-')
