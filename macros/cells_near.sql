-- name: cells_near
-- topic: comparing
-- parameters: x, cell
-- purpose: the cells that hold every number within 2 % of x, or within 0.02 of it beside 0; cell is magnitude_cell(x), cells_of(y, …) names those of y
-- nulls: null is near null
-- example: list_has_any(cells_near(100.0, magnitude_cell(100.0)), cells_of(101.9, magnitude_cell(101.9))) => true
-- example: list_has_any(cells_near(100.0, magnitude_cell(100.0)), cells_of(110.0, magnitude_cell(110.0))) => false
-- example: cells_near(0.0, 0) => [0, 1]
-- example: list_has_any(cells_near(0.01, magnitude_cell(0.01)), cells_of(0.0, 0)) => true
-- example: list_has_any(cells_near(NULL, magnitude_cell(NULL)), cells_of(NULL, magnitude_cell(NULL))) => true
CASE
    WHEN x IS NULL OR NOT isfinite(x) THEN [cell]
    WHEN x = 0 THEN [0, 1]
    WHEN abs(x) < 0.02 THEN [cell - 1, cell, cell + 1, 0]
    ELSE [cell - 1, cell, cell + 1]
END
