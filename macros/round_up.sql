-- name: round_up
-- topic: numbers
-- parameters: x, places := 0
-- purpose: rounded away from zero, by the digits that are printed; places is a constant
-- nulls: null stays null
-- also: ROUNDUP, ceil_to, math.ceil
-- example: round_up(2.301::DOUBLE, 2) => 2.31
-- example: round_up(1.1::DOUBLE, 1) => 1.1
-- example: round_up(-2.1::DOUBLE) => -3
-- example: round_up(1e-300) => 1
-- example: round_up(1201, -2) => 1300
-- example: round_up(NULL) => NULL
coalesce(round(
    exact_decimal(CASE WHEN abs(x) < 1e-18 THEN sign(x) * 1e-18 ELSE x END) + sign(x) * (CAST('5e' || (-places - 1) AS DECIMAL(38, 18)) - 0.000000000000000001::DECIMAL(38, 18)), places
)::DOUBLE, round(x::DOUBLE, places))
