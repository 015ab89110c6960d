-- name: python_floordiv
-- topic: numbers
-- parameters: x, y
-- purpose: x by y rounded down, as Python's //; by zero infinite as in pandas, 0 by 0 null
-- nulls: null if either is
-- example: python_floordiv(-7, 2) => -4
-- example: python_floordiv(1.0::DOUBLE, 0.1::DOUBLE) => 9
-- example: python_floordiv(3, 0) => 'inf'::DOUBLE
-- example: python_floordiv(0, 0) => NULL
CASE
    WHEN y = 0 THEN CASE WHEN x <> 0 THEN sign(x) * 'inf'::DOUBLE END
    ELSE round((x - python_mod(x, y)) / nullif(y, 0))
END
