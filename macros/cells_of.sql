-- name: cells_of
-- parameters: y
-- purpose: the cells of a number for cells_near: its own, and cell 1 for all small numbers but 0
-- nulls: null has a cell of its own
-- example: length(cells_of(5.0)) => 1
-- example: length(cells_of(0.01)) => 2
-- example: cells_of(0.0) => [0]
CASE WHEN y <> 0 AND abs(y) < 0.02 THEN [magnitude_cell(y), 1] ELSE [magnitude_cell(y)] END
