-- 1. Each order line once: some were exported twice.
CREATE TABLE lines AS
SELECT *
FROM raw_input_01
QUALIFY row_number() OVER (PARTITION BY "order", line ORDER BY rowid) = 1;

-- 2. Paid orders.
CREATE TABLE paid AS
SELECT *
FROM lines
WHERE lower(trim(status)) = 'paid';

-- 3. Dates, quantities and prices as values; the marketplace writes 14.03.24 and 19,80.
CREATE TABLE typed AS
SELECT
    "order" AS order_no,
    strptime(placed, ['%Y-%m-%d', '%d.%m.%y']) AS placed,
    "bill to" AS payer,
    "ship to" AS receiver,
    upper(regexp_replace(sku, '[^A-Za-z0-9]', '', 'g')) AS sku,
    coalesce(TRY_CAST(qty AS INTEGER), 1) AS qty,
    nullif(TRY_CAST(replace(price, ',', '.') AS DECIMAL(8, 2)), 0) AS price
FROM paid;

-- 4. The catalogue with stock numbers in the same plain form.
CREATE TABLE products AS
SELECT replace(sku, '-', '') AS sku, category, clearance = 'yes' AS clearance, CAST("list price" AS DECIMAL(8, 2)) AS list_price
FROM raw_input_02;

-- 5. Category, clearance and list price for each line.
CREATE TABLE stocked AS
SELECT
    t.* EXCLUDE (price),
    coalesce(p.category, 'Other') AS category,
    coalesce(p.clearance, false) AS clearance,
    coalesce(t.price, p.list_price) AS price
FROM typed AS t
LEFT JOIN products AS p ON t.sku = p.sku;

-- 6. What each line brings in after its discount.
CREATE TABLE valued AS
SELECT
    *,
    qty * price * CASE WHEN clearance THEN 0.75 WHEN qty >= 10 THEN 0.90 ELSE 1 END AS sales
FROM stocked;

-- 7. The customers' countries in English.
CREATE TABLE countries AS
SELECT
    customer,
    CASE lower(trim(country))
        WHEN 'germany' THEN 'Germany'
        WHEN 'deutschland' THEN 'Germany'
        WHEN 'de' THEN 'Germany'
        WHEN 'austria' THEN 'Austria'
        WHEN 'österreich' THEN 'Austria'
        WHEN 'at' THEN 'Austria'
        WHEN 'netherlands' THEN 'Netherlands'
        WHEN 'the netherlands' THEN 'Netherlands'
        WHEN 'nl' THEN 'Netherlands'
        WHEN 'belgium' THEN 'Belgium'
        WHEN 'belgie' THEN 'Belgium'
        WHEN 'be' THEN 'Belgium'
        WHEN 'denmark' THEN 'Denmark'
        WHEN 'danmark' THEN 'Denmark'
        WHEN 'dk' THEN 'Denmark'
    END AS country
FROM input_03;

-- 8. Orders with their country and their shipping fee.
CREATE TABLE orders AS
WITH sums AS (
    SELECT order_no, any_value(placed) AS placed, any_value(payer) AS payer, any_value(receiver) AS receiver,
        count(*) AS lines, sum(sales) AS sales
    FROM valued
    GROUP BY order_no
)
SELECT
    o.order_no,
    strftime(o.placed, '%Y-%m') AS month,
    c.country,
    o.lines,
    o.sales,
    CASE WHEN o.sales >= 60 THEN 0 ELSE 4.90 END AS shipping
FROM sums AS o
JOIN countries AS c ON o.receiver = c.customer;

-- 9. Sales by month and category.
CREATE TABLE output_01 AS
SELECT
    strftime(placed, '%Y-%m') AS "Month",
    category AS "Category",
    count(DISTINCT order_no) AS "Orders",
    sum(qty) AS "Units",
    round(sum(sales), 2) AS "Sales"
FROM valued
GROUP BY "Month", category
ORDER BY "Month", category;

-- 10. Orders by month and country.
CREATE TABLE output_02 AS
SELECT
    month AS "Month",
    country AS "Country",
    count(*) AS "Orders",
    round(sum(sales), 2) AS "Sales",
    sum(shipping) AS "Shipping",
    round(sum(sales) / count(*), 2) AS "Average sale"
FROM orders
GROUP BY month, country
ORDER BY month, country;
