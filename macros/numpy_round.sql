-- name: numpy_round
-- topic: numbers
-- parameters: x, decimals := 0
-- purpose: x rounded as numpy and pandas do: shifted as a float, halves to the even neighbour
-- nulls: null stays null
-- example: numpy_round(2.5) => 2
-- example: numpy_round(-3.5) => -4
-- example: numpy_round(2.675::DOUBLE, 2) => 2.68
-- example: numpy_round(1250, -2) => 1200
-- example: numpy_round(1e300::DOUBLE, 1) => 1e300
-- example: numpy_round(NULL) => NULL
CASE
    WHEN abs(x * pow(10::DOUBLE, decimals)) >= 4503599627370496 OR isinf(x::DOUBLE) THEN x::DOUBLE
    WHEN decimals >= 0 THEN (x::DOUBLE * pow(10::DOUBLE, decimals))::BIGINT / pow(10::DOUBLE, decimals)
    ELSE (x::DOUBLE / pow(10::DOUBLE, -decimals))::BIGINT * pow(10::DOUBLE, -decimals)
END
