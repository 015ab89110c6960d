-- name: cells_near
-- parameters: x
-- purpose: the cells that hold every number within 2 % of x, or, beside 0, within 0.02 of it; cells_of(y) names the cells of y
-- nulls: null is near null
-- example: list_has_any(cells_near(100.0), cells_of(101.9)) => true
-- example: list_has_any(cells_near(0.0), cells_of(0.01)) => true
-- example: list_has_any(cells_near(0.01), cells_of(0.0)) => true
-- example: list_has_any(cells_near(100.0), cells_of(110.0)) => false
-- example: list_has_any(cells_near(NULL), cells_of(NULL)) => true
CASE
    WHEN x IS NULL OR NOT isfinite(x) THEN [magnitude_cell(x)]
    WHEN x = 0 THEN [0, 1]
    WHEN abs(x) < 0.02 THEN [magnitude_cell(x) - 1, magnitude_cell(x), magnitude_cell(x) + 1, 0]
    ELSE [magnitude_cell(x) - 1, magnitude_cell(x), magnitude_cell(x) + 1]
END
