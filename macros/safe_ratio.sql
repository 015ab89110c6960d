-- name: safe_ratio
-- topic: numbers
-- parameters: a, b
-- purpose: a over b as a fraction
-- nulls: null where either is null or b is 0, where a plain division gives infinity
-- also: safe_divide, DIV0, div0null, try_divide
-- example: safe_ratio(1, 4) => 0.25
-- example: safe_ratio(1, 0) => NULL
-- example: safe_ratio(NULL, 2) => NULL
try_cast(a AS DOUBLE) / nullif(try_cast(b AS DOUBLE), 0)
