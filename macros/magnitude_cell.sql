-- name: magnitude_cell
-- topic: comparing
-- parameters: x, width := 0.0203, shift := 0.0
-- purpose: the cell of a number on a logarithmic grid, sign apart; 0 and numbers that are not finite have cells of their own
-- nulls: null has a cell of its own
-- example: magnitude_cell(100.0) = magnitude_cell(100.1) => true
-- example: magnitude_cell(100.0) = magnitude_cell(-100.0) => false
-- example: magnitude_cell(NULL) => -9000000000000000
-- example: magnitude_cell(0) => 0
CASE
    WHEN x IS NULL THEN -9000000000000000
    WHEN x = 0 THEN 0
    WHEN NOT isfinite(x) THEN CASE WHEN isnan(x) THEN 9000000000000001 ELSE sign(x) * 9000000000000002 END
    -- |ln x| stays below 746, so that the sum keeps its sign for every width from 1e-12
    ELSE sign(x) * (floor(ln(abs(x)) / width + shift) + 1000000000000000)
END::BIGINT
