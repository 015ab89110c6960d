-- name: exact_decimal
-- topic: parts
-- parameters: x
-- purpose: a number as the decimal that is printed, for exact arithmetic
-- nulls: null stays null; null too where it is not finite or from 10^19 on
-- example: exact_decimal(0.1::DOUBLE) => 0.1
-- example: exact_decimal(1e20) => NULL
-- example: exact_decimal('inf'::DOUBLE) => NULL
CASE WHEN abs(x) < 1e19 THEN try_cast(x::VARCHAR AS DECIMAL(38, 18)) END
