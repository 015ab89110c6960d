-- name: relative_error
-- topic: comparing
-- parameters: a, b
-- purpose: how far two numbers are apart, over the larger magnitude; 0 where they are equal
-- nulls: null where either is null
-- example: relative_error(98, 100) => 0.02
-- example: relative_error(0, 0) => 0
-- example: relative_error(0, 5) => 1
-- example: relative_error(NULL, 1) => NULL
CASE WHEN a = b THEN 0 ELSE abs(a - b) / greatest(abs(a), abs(b)) END
