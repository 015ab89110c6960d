-- name: percent_change
-- topic: numbers
-- parameters: old, new
-- purpose: the change from old to new as a percentage of old's size: 4 to 5 is 25
-- nulls: null where either is null or old is 0
-- also: pct_change, growth_rate
-- example: percent_change(4, 5) => 25
-- example: percent_change(-4, -2) => 50
-- example: percent_change(0, 5) => NULL
100 * (try_cast(new AS DOUBLE) - try_cast(old AS DOUBLE)) / nullif(abs(try_cast(old AS DOUBLE)), 0)
