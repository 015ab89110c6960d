-- 1. The item master: costs in pounds, codes also without punctuation, for joining.
CREATE TEMP TABLE items AS
SELECT
    code,
    description,
    replace(code, '-', '') AS new_key,
    replace("old code", '-', '') AS old_key,
    CAST(regexp_extract("unit cost", '[0-9.]+') AS DOUBLE)
        / CASE WHEN "unit cost" LIKE '%p' THEN 100 ELSE 1 END AS cost,
    CAST("reorder at" AS INTEGER) AS reorder_at,
    blocked = 'yes' AS blocked
FROM raw_input_03;

-- 2. The count sheets: columns by position, one of them has no heading. Pieces are a number, or boxes x pieces a box;
--    page totals and blank lines have no item, and what has no number was not counted.
CREATE TEMP TABLE counts AS
WITH sheets AS (
    SELECT
        try_cast(day AS DATE) AS day,
        regexp_replace(upper(item), '[^A-Z0-9]', '', 'g') AS item,
        warehouse,
        string_split(replace(pieces, ',', ''), ' x ') AS factors
    FROM raw_input_01 AS s(day, item, warehouse, pieces, counted_by)
    WHERE item <> ''
)
SELECT
    day,
    item,
    warehouse,
    try_cast(factors[1] AS INTEGER) * coalesce(try_cast(factors[2] AS INTEGER), 1) AS pieces
FROM sheets
WHERE try_cast(factors[1] AS INTEGER) IS NOT NULL;

-- 3. The last count of each item and warehouse, under the item's new code.
CREATE TEMP TABLE last_counts AS
SELECT items.new_key AS item, counts.warehouse, counts.day, counts.pieces
FROM counts
JOIN items ON counts.item = items.old_key
QUALIFY row_number() OVER (PARTITION BY counts.item, counts.warehouse ORDER BY counts.day DESC) = 1;

-- 4. The movements, signed, under one name for each warehouse.
CREATE TEMP TABLE movements AS
WITH journal AS (
    SELECT
        CAST(date AS DATE) AS day,
        replace(item, '-', '') AS item,
        CASE lower(trim(warehouse)) WHEN 'hull' THEN 'Hull' WHEN 'leeds' THEN 'Leeds' ELSE 'Gent' END AS warehouse,
        replace(lower(movement), '-', ' ') AS kind,
        CAST(replace(pieces, ',', '') AS INTEGER) AS pieces
    FROM raw_input_02
)
SELECT
    day,
    item,
    warehouse,
    CASE WHEN kind LIKE 'issue%' OR kind = 'transfer out' THEN -pieces ELSE pieces END AS change,
    CASE WHEN kind LIKE 'issue%' THEN pieces ELSE 0 END AS issued
FROM journal;

-- 5. What moved since the count.
CREATE TEMP TABLE stock AS
SELECT
    c.item,
    c.warehouse,
    any_value(c.pieces) + coalesce(sum(m.change), 0) AS stock
FROM last_counts AS c
LEFT JOIN movements AS m
       ON m.item = c.item AND m.warehouse = c.warehouse AND m.day > c.day
GROUP BY c.item, c.warehouse;

-- 6. What is issued on an average day of October.
CREATE TEMP TABLE demand AS
SELECT item, warehouse, sum(issued) / 31 AS daily
FROM movements
WHERE day BETWEEN DATE '2024-10-01' AND DATE '2024-10-31' AND issued > 0
GROUP BY item, warehouse;

-- 7. Cover and action of each line.
CREATE TEMP TABLE lines AS
SELECT
    items.code,
    items.description,
    stock.warehouse,
    stock.stock,
    stock.stock / demand.daily AS cover,
    stock.stock * items.cost AS value,
    CASE
        WHEN items.blocked THEN 'hold'
        WHEN stock.stock <= items.reorder_at THEN 'reorder'
        WHEN demand.daily IS NULL THEN 'surplus'
        WHEN stock.stock / demand.daily > 90 THEN 'surplus'
        ELSE 'keep'
    END AS action
FROM stock
JOIN items ON items.new_key = stock.item
LEFT JOIN demand ON demand.item = stock.item AND demand.warehouse = stock.warehouse;

CREATE TABLE output_01 AS
SELECT
    code AS "Item",
    description AS "Description",
    warehouse AS "Warehouse",
    CAST(stock AS BIGINT) AS "Stock",
    round(cover, 1) AS "Days of cover",
    action AS "Action"
FROM lines
ORDER BY code, warehouse;

-- 8. The warehouses in sum.
CREATE TABLE output_02 AS
SELECT
    warehouse AS "Warehouse",
    count(*) AS "Lines",
    count(*) FILTER (action = 'reorder') AS "To reorder",
    count(*) FILTER (action = 'surplus') AS "Surplus",
    round(sum(value), 2) AS "Stock value"
FROM lines
GROUP BY warehouse
ORDER BY warehouse;
