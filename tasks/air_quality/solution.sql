-- 1. Records of the loggers: no headers, units or empty rows between them.
CREATE TABLE records AS
SELECT rowid AS line, trim("Station") AS station, "Time" AS time, "PM10" AS pm10
FROM raw_input_01
WHERE regexp_matches("Time", '^\d');

-- 2. A logger names its station once a block: carry the name down.
CREATE TABLE named AS
SELECT * REPLACE (last_value(nullif(station, '') IGNORE NULLS) OVER (ORDER BY line) AS station)
FROM records;

-- 3. Station codes for all spellings of the names.
CREATE TABLE coded AS
SELECT
    line,
    CASE
        WHEN station ILIKE 'mill%' THEN 'AQ01'
        WHEN station ILIKE 'harb%' THEN 'AQ02'
        WHEN station ILIKE 'n%park' THEN 'AQ03'
        WHEN station ILIKE 'station%' THEN 'AQ04'
        WHEN station ILIKE 'old%' THEN 'AQ05'
    END AS code,
    time,
    pm10
FROM named;

-- 4. A stamp is the end of its hour, 00:00 and 24:00 both occur: take the hour's beginning.
CREATE TABLE timed AS
WITH parts AS (
    SELECT
        *,
        strptime(
            regexp_replace(time, '[T ]\d\d:?\d\d$', ''),
            ['%Y-%m-%d', '%d/%m/%Y', '%Y%m%d', '%d %b %Y']
        ) AS day,
        CAST(regexp_extract(time, '(\d\d):?\d\d$', 1) AS INTEGER) AS hour_no
    FROM coded
)
SELECT line, code, day + (hour_no - 1) * INTERVAL 1 HOUR AS hour, pm10
FROM parts;

-- 5. Values as numbers; error codes and gaps are no readings.
CREATE TABLE measured AS
SELECT line, code, hour, value
FROM (
    SELECT
        *,
        CASE
            WHEN pm10 = '<2' THEN 1
            ELSE TRY_CAST(replace(pm10, ',', '.') AS DECIMAL(8, 2))
        END AS value
    FROM timed
)
WHERE value >= 0;

-- 6. One value for each hour: where an hour was sent again, what was sent last.
CREATE TABLE hourly AS
SELECT code, hour, value
FROM measured
QUALIFY row_number() OVER (PARTITION BY code, hour ORDER BY line DESC) = 1;

-- 7. Nothing from days on which the station was out of service.
CREATE TABLE in_service AS
SELECT h.*
FROM hourly AS h
WHERE NOT EXISTS (
    SELECT 1
    FROM raw_input_03 AS s
    WHERE s."station code" = h.code
      AND CAST(h.hour AS DATE) >= CAST(s."from" AS DATE)
      AND CAST(h.hour AS DATE) <= coalesce(TRY_CAST(s."to" AS DATE), DATE '9999-12-31')
);

-- 8. Every hour of every station, read or not.
CREATE TABLE grid AS
SELECT g.code, g.hour, s.value
FROM (
    SELECT code, unnest(generate_series(min(hour), max(hour), INTERVAL 1 HOUR)) AS hour
    FROM in_service
    GROUP BY code
) AS g
LEFT JOIN in_service AS s ON g.code = s.code AND g.hour = s.hour;

-- 9. A single missing hour is the mean of its neighbours.
CREATE TABLE filled AS
WITH neighbours AS (
    SELECT *, lag(value) OVER (PARTITION BY code ORDER BY hour) AS before, lead(value) OVER (PARTITION BY code ORDER BY hour) AS after
    FROM grid
)
SELECT code, hour, coalesce(value, CAST((before + after) / 2 AS DECIMAL(8, 2))) AS value
FROM neighbours;

-- 10. Days with their number of hours.
CREATE TABLE days AS
SELECT code, CAST(hour AS DATE) AS day, count(value) AS hours, sum(value) AS total
FROM filled
GROUP BY code, CAST(hour AS DATE)
HAVING count(value) > 0;

-- 11. Daily means of the days that count.
CREATE TABLE output_01 AS
SELECT
    code AS "Code",
    day AS "Day",
    hours AS "Hours",
    CASE WHEN hours >= 18 THEN total / hours END AS "PM10"
FROM days
ORDER BY code, day;

-- 12. Months by station.
CREATE TABLE output_02 AS
SELECT
    s.station AS "Station",
    s.zone AS "Zone",
    strftime(o."Day", '%Y-%m') AS "Month",
    count(o."PM10") AS "Days",
    round(avg(o."PM10"), 1) AS "Mean PM10",
    count(*) FILTER (WHERE o."PM10" > 50) AS "Days over 50"
FROM output_01 AS o
JOIN input_02 AS s ON o."Code" = s.code
GROUP BY s.station, s.zone, "Month"
ORDER BY s.station, "Month";
