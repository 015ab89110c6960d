-- name: is_close
-- topic: comparing
-- parameters: a, b, relative, absolute
-- purpose: whether two numbers agree: equal, or one is 0 and they differ by less than absolute, or their relative error is below relative
-- nulls: null where either is null
-- example: is_close(100, 98.1, 0.02, 0.02) => true
-- example: is_close(100, 98, 0.02, 0.02) => false
-- example: is_close(0, 0.019, 0.02, 0.02) => true
-- example: is_close(1e-12, 1.0001e-12, 1e-6, 1e-9) => false
-- example: is_close('inf'::DOUBLE, 'inf'::DOUBLE, 0.02, 0.02) => true
-- example: is_close(NULL, 1, 0.02, 0.02) => NULL
CASE
    WHEN a IS NULL OR b IS NULL THEN NULL
    WHEN a = b THEN true
    WHEN a = 0 OR b = 0 THEN abs(a - b) < absolute
    ELSE relative_error(a, b) < relative
END
