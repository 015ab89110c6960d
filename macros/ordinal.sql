-- name: ordinal
-- topic: numbers
-- parameters: n
-- purpose: a whole number with its English ending: 1st, 2nd, 11th
-- nulls: null stays null
-- also: day_suffix, ordinalize
-- example: ordinal(1) => '1st'
-- example: ordinal(112) => '112th'
-- example: ordinal(-23) => '-23rd'
-- example: ordinal(NULL) => NULL
n || CASE
    WHEN abs(n) % 100 IN (11, 12, 13) THEN 'th'
    WHEN abs(n) % 10 = 1 THEN 'st'
    WHEN abs(n) % 10 = 2 THEN 'nd'
    WHEN abs(n) % 10 = 3 THEN 'rd'
    ELSE 'th' END
