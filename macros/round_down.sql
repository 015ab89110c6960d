-- name: round_down
-- topic: numbers
-- parameters: x, places := 0
-- purpose: rounded towards zero, by the digits that are printed; places is a constant
-- nulls: null stays null
-- also: ROUNDDOWN, TRUNC, truncate, math.trunc
-- example: round_down(2.309::DOUBLE, 2) => 2.3
-- example: round_down(4.35::DOUBLE, 2) => 4.35
-- example: round_down(-2.9::DOUBLE) => -2
-- example: round_down(1299, -2) => 1200
-- example: round_down(NULL) => NULL
coalesce(round(
    exact_decimal(x) - sign(x) * (CAST('5e' || (-places - 1) AS DECIMAL(38, 18)) - 0.000000000000000001::DECIMAL(38, 18)), places
)::DOUBLE, round(x::DOUBLE, places))
