-- name: easter_moon
-- topic: parts
-- parameters: y
-- purpose: the full moon, by the church's tables, after which Easter Sunday comes
-- nulls: null before 1583 and after 9999
-- example: easter_moon(2024) => DATE '2024-03-25'
-- example: easter_moon(1500) => NULL
CASE WHEN y BETWEEN 1583 AND 9999 THEN make_date(y::INTEGER, 3, 21) + (moon_age(y) - CASE
    WHEN moon_age(y) = 29 OR moon_age(y) = 28 AND y % 19 > 10 THEN 1 ELSE 0 END)::INTEGER END
