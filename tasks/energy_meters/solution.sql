-- 1. The readings, from three notations of times, numbers and meters. Headings and "end of export" have no time.
CREATE TEMP TABLE lines AS
WITH parsed AS (
    SELECT
        rowid AS line,
        upper(replace(meter, '-', '')) AS meter,
        try_strptime(time, ['%Y-%m-%d %H:%M', '%Y-%m-%dT%H:%M', '%d.%m.%Y %H:%M']) AS hour,
        try_cast(nullif(replace(reading, ',', '.'), 'NaN') AS DOUBLE) AS reading,
        flag
    FROM raw_input_01
)
SELECT *
FROM parsed
WHERE hour IS NOT NULL;

-- 2. The last line sent for each hour.
CREATE TEMP TABLE sent AS
SELECT meter, hour, reading, flag
FROM lines
QUALIFY row_number() OVER (PARTITION BY meter, hour ORDER BY line DESC) = 1;

-- 3. Good readings only.
CREATE TEMP TABLE good AS
SELECT meter, hour, reading
FROM sent
WHERE flag <> 'F' AND reading >= 0;

-- 4. Every hour of the month for every meter.
CREATE TEMP TABLE grid AS
SELECT meters.meter, hours.hour
FROM (SELECT DISTINCT meter FROM lines) AS meters
CROSS JOIN (SELECT DISTINCT hour FROM lines) AS hours;

-- 5. Gaps filled with what the meter shows on average at that hour of the day.
CREATE TEMP TABLE complete AS
SELECT
    grid.meter,
    grid.hour,
    coalesce(
        good.reading,
        avg(good.reading) OVER (PARTITION BY grid.meter, extract(hour FROM grid.hour))
    ) AS reading
FROM grid
LEFT JOIN good USING (meter, hour);

-- 6. The meter list: sites by their proper names, and the factor that makes a reading kWh.
CREATE TEMP TABLE meters AS
WITH sites(site) AS (
    VALUES ('Mill Lane'), ('Canal Depot'), ('Town Hall'), ('North School'), ('Swimming Bath'), ('Library'),
           ('Water Works'), ('Fire Station'), ('Old Brewery')
)
SELECT
    replace(meter, '-', '') AS meter,
    (SELECT arg_min(site, damerau_levenshtein(lower(site), lower(list.site))) FROM sites) AS site,
    CAST("from" AS DATE) AS first_day,
    coalesce(try_cast("to" AS DATE), DATE '9999-12-31') AS last_day,
    coalesce(try_cast("CT ratio" AS DOUBLE), 1) / CASE unit WHEN 'Wh' THEN 1000 ELSE 1 END AS factor
FROM raw_input_02 AS list;

-- 7. Energy of each meter and hour, at the site where the meter was on that day.
CREATE TEMP TABLE energy AS
SELECT
    m.site,
    c.meter,
    c.hour,
    CAST(c.hour AS DATE) AS day,
    c.reading * m.factor AS kwh
FROM complete AS c
JOIN meters AS m
  ON m.meter = c.meter
 AND CAST(c.hour AS DATE) BETWEEN m.first_day AND m.last_day;

-- 8. The load of each site, hour by hour.
CREATE TEMP TABLE site_hours AS
SELECT
    site,
    day,
    hour,
    sum(kwh) AS kwh,
    extract(hour FROM hour) >= 22 OR extract(hour FROM hour) < 6 AS at_night
FROM energy
GROUP BY site, day, hour;

-- 9. One row per site and day.
CREATE TEMP TABLE peaks AS
SELECT site, day, max(kwh) AS peak
FROM site_hours
GROUP BY site, day;

CREATE TABLE output_01 AS
SELECT
    h.site AS "Site",
    h.day AS "Day",
    round(sum(h.kwh), 3) AS "kWh",
    round(100.0 * sum(h.kwh) FILTER (at_night) / sum(h.kwh), 1) AS "Night share %",
    round(any_value(p.peak), 3) AS "Peak kW"
FROM site_hours AS h
JOIN peaks AS p USING (site, day)
GROUP BY h.site, h.day
ORDER BY h.site, h.day;
