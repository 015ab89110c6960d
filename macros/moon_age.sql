-- name: moon_age
-- topic: parts
-- parameters: y
-- purpose: days from 21 March to the church's full moon, before the two exceptions
-- nulls: null stays null
-- example: moon_age(2024) => 4
-- example: moon_age(1981) => 29
-- example: moon_age(NULL) => NULL
(19 * (y % 19) + floor(y / 100) - floor(y / 400) - floor((8 * floor(y / 100) + 13) / 25) + 15) % 30
