-- name: python_mod
-- topic: numbers
-- parameters: x, y
-- purpose: the rest of x by y with the sign of y, as Python's %; null where y is 0
-- nulls: null if either is
-- example: python_mod(-7, 3) => 2
-- example: python_mod(7.5, -2) => -0.5
-- example: python_mod(5, 0) => NULL
CASE
    WHEN y = 0 THEN NULL
    WHEN x % nullif(y, 0) <> 0 AND (x % nullif(y, 0) < 0) <> (y < 0) THEN x % nullif(y, 0) + y
    ELSE x % nullif(y, 0)
END
