-- 1. The picks: lines with a date and a block. Weekly totals, repeated headings and rain notes lack one of them.
--    Each is given the nearest of the four varieties, and its weight in kilos (null where none was written).
CREATE TEMP TABLE picks AS
WITH varieties(variety) AS (
    VALUES ('Elstar'), ('Braeburn'), ('Topaz'), ('Santana')
),
diary AS (
    SELECT
        try_cast(day AS DATE) AS day,
        block,
        lower(trim(variety)) AS written,
        try_cast(bins AS INTEGER) AS bins,
        "graded out" AS weight
    FROM raw_input_01
)
SELECT
    day,
    block,
    (SELECT arg_min(variety, damerau_levenshtein(lower(variety), written)) FROM varieties) AS variety,
    bins,
    try_cast(replace(regexp_extract(weight, '[0-9.,]+'), ',', '') AS DOUBLE)
        * CASE WHEN weight LIKE '%t' THEN 1000 ELSE 1 END AS kilos
FROM diary
WHERE day IS NOT NULL AND block <> '';

-- 2. What counts: weighed, and picked before the morning of the frost.
CREATE TEMP TABLE counted AS
SELECT *
FROM picks
WHERE kilos IS NOT NULL
  AND day < DATE '2024-10-04';

-- 3. One row per variety and block.
CREATE TABLE output_01 AS
SELECT
    variety AS "Variety",
    block AS "Block",
    count(DISTINCT day) AS "Picking days",
    CAST(sum(kilos) AS BIGINT) AS "Total kg",
    round(sum(kilos) / sum(bins), 1) AS "Kg per bin"
FROM counted
GROUP BY variety, block
ORDER BY variety, block;
