-- name: cells_of
-- topic: comparing
-- parameters: y, cell
-- purpose: the cells in which cells_near looks for y: its own, which is magnitude_cell(y), and cell 1 for all small numbers but 0
-- nulls: null has a cell of its own
-- example: cells_of(5.0, 77) => [77]
-- example: cells_of(0.01, 77) => [77, 1]
-- example: cells_of(0.0, 0) => [0]
CASE WHEN y <> 0 AND abs(y) < 0.02 THEN [cell, 1] ELSE [cell] END
