-- name: percent_of
-- topic: numbers
-- parameters: part, whole
-- purpose: part as a percentage of the whole: 1 of 4 is 25
-- nulls: null where either is null or the whole is 0
-- also: share, percentage, ratio_to_report
-- example: percent_of(1, 4) => 25
-- example: percent_of(5, 0) => NULL
-- example: percent_of(NULL, 4) => NULL
100 * try_cast(part AS DOUBLE) / nullif(try_cast(whole AS DOUBLE), 0)
