-- 1. Dates from three systems: 2024-03-14, 14.03.2024 and 14 Mar 2024 (September as Sept).
CREATE TABLE dated AS
SELECT
    "Channel" AS channel,
    "Status" AS status,
    "Rate" AS rate,
    CAST(strptime(replace("Arrival", 'Sept', 'Sep'), ['%Y-%m-%d', '%d.%m.%Y', '%d %b %Y']) AS DATE) AS arrival,
    CAST(strptime(replace("Departure", 'Sept', 'Sep'), ['%Y-%m-%d', '%d.%m.%Y', '%d %b %Y']) AS DATE) AS departure
FROM raw_input_01;

-- 2. Real stays only.
CREATE TABLE stays AS
SELECT *
FROM dated
WHERE lower(status) IN ('checked out', 'in house');

-- 3. One spelling for each channel, by its first letters.
CREATE TABLE channels AS
SELECT
    * REPLACE (
        CASE
            WHEN channel ILIKE 'book%' THEN 'Booking portal'
            WHEN channel ILIKE 'dir%' THEN 'Direct'
            WHEN channel ILIKE 'trav%' THEN 'Travel agency'
            WHEN channel ILIKE 'corp%' THEN 'Corporate'
            WHEN channel ILIKE 'walk%' THEN 'Walk-in'
        END AS channel
    )
FROM stays;

-- 4. Rates as numbers: 118.50, € 118.50 or 118,50 EUR; a rate without digits is unknown.
CREATE TABLE rates AS
SELECT * REPLACE (TRY_CAST(replace(regexp_replace(rate, '[^0-9.,]', '', 'g'), ',', '.') AS DECIMAL(8, 2)) AS rate)
FROM channels;

-- 5. Bookings that can be priced, with their nights.
CREATE TABLE priced AS
SELECT *, departure - arrival AS nights
FROM rates
WHERE rate IS NOT NULL;

-- 6. The discount of each stay and what it brought in.
CREATE TABLE billed AS
WITH discounts AS (
    SELECT
        *,
        CASE WHEN nights >= 7 THEN 0.20 ELSE 0 END AS long_stay,
        CASE WHEN channel = 'Direct' THEN 0.10 ELSE 0 END AS direct
    FROM priced
)
SELECT
    strftime(departure, '%Y-%m') AS month,
    channel,
    nights,
    nights * rate * (1 - greatest(long_stay, direct)) AS revenue
FROM discounts;

-- 7. Figures by month and channel.
CREATE TABLE output_01 AS
SELECT
    month AS "Month",
    channel AS "Channel",
    count(*) AS "Stays",
    sum(nights) AS "Nights",
    round(sum(revenue), 2) AS "Revenue",
    round(sum(revenue) / sum(nights), 2) AS "Average rate"
FROM billed
GROUP BY month, channel
ORDER BY month, channel;
