-- 1. The trips, each once, with typed cells. Headings and notes have no start.
CREATE TEMP TABLE trips AS
SELECT DISTINCT
    trip,
    bike LIKE 'E%' AS electric,
    try_strptime(started, ['%Y-%m-%d %H:%M', '%d/%m/%Y %H:%M']) AS started,
    CASE
        WHEN duration LIKE '%:%'
            THEN CAST(epoch(CAST(duration AS INTERVAL)) AS INTEGER)
        WHEN duration LIKE '%min%'
            THEN 60 * CAST(regexp_extract(duration, '^\d+') AS INTEGER)
                 + CAST(regexp_extract(duration, '(\d+) s$', 1) AS INTEGER)
        ELSE CAST(duration AS INTEGER)
    END AS seconds,
    "from station" AS from_written,
    CASE WHEN "to station" NOT IN ('', 'NULL', '-', 'unknown') THEN "to station" END AS to_written,
    "from terminal" AS from_terminal,
    "to terminal" AS to_terminal,
    replace(lower(trim(rider)), 'subscriber', 'member') AS rider
FROM raw_input_01
WHERE try_strptime(started, ['%Y-%m-%d %H:%M', '%d/%m/%Y %H:%M']) IS NOT NULL;

-- 2. Each way of writing a station, with the station of the list that is nearest to it.
CREATE TEMP TABLE spellings AS
SELECT
    written,
    arg_min(station, damerau_levenshtein(lower(station), lower(trim(written)))) AS station
FROM (SELECT from_written AS written FROM trips UNION SELECT to_written FROM trips WHERE to_written IS NOT NULL)
CROSS JOIN raw_input_02
GROUP BY written;

-- 3. Both ends of each trip as stations of the list; a bike left outside has no end.
CREATE TEMP TABLE rides AS
SELECT
    t.trip, t.electric, t.started, t.seconds, t.rider,
    a.station AS from_station, a.district AS from_district,
    b.station AS to_station, b.district AS to_district
FROM trips AS t
JOIN spellings AS sa ON sa.written = t.from_written
LEFT JOIN spellings AS sb ON sb.written = t.to_written
JOIN raw_input_02 AS a ON a.station = sa.station
LEFT JOIN raw_input_02 AS b ON b.station = sb.station;

-- 4. Without false starts: put back where it was taken within two minutes.
CREATE TEMP TABLE real_rides AS
SELECT *
FROM rides
WHERE NOT (to_station IS NOT DISTINCT FROM from_station AND seconds < 120);

-- 5. Minutes by the clock, a started one is a whole one.
CREATE TEMP TABLE timed AS
SELECT *, CAST(ceil(seconds / 60) AS INTEGER) AS minutes
FROM real_rides;

-- 6. The parts of the fare, in cents.
CREATE TEMP TABLE fare_parts AS
SELECT
    *,
    rider = 'member' AND isodow(started) = 7 AS sunday_member,
    CASE rider WHEN 'member' THEN 10 * greatest(minutes - 30, 0) ELSE 100 + 15 * minutes END AS for_time,
    CASE WHEN electric THEN 5 * minutes ELSE 0 END AS for_motor,
    CASE WHEN to_station IS NULL THEN 500 ELSE 0 END AS for_place
FROM timed;

-- 7. The fare: on Sundays members still pay for a bike left outside.
CREATE TEMP TABLE fares AS
SELECT *, CASE WHEN sunday_member THEN for_place ELSE for_time + for_motor + for_place END AS cents
FROM fare_parts;

-- 8. By district, month and rider.
CREATE TABLE output_01 AS
SELECT
    from_district AS "District",
    strftime(started, '%Y-%m') AS "Month",
    rider AS "Rider",
    count(*) AS "Trips",
    CAST(sum(minutes) AS BIGINT) AS "Minutes",
    round(sum(cents) / 100, 2) AS "Revenue"
FROM fares
GROUP BY ALL
ORDER BY ALL;

-- 9. Routes between two different stations.
CREATE TEMP TABLE routes AS
SELECT
    from_station,
    to_station,
    count(*) AS trips,
    count(*) FILTER (electric) AS electric_trips
FROM fares
WHERE to_station <> from_station
GROUP BY from_station, to_station;

-- 10. Their places.
CREATE TEMP TABLE places AS
SELECT *, row_number() OVER (ORDER BY trips DESC, from_station, to_station) AS place
FROM routes;

-- 11. The ten busiest.
CREATE TABLE output_02 AS
SELECT
    place AS "Rank",
    from_station AS "From",
    to_station AS "To",
    trips AS "Trips",
    round(100.0 * electric_trips / trips, 2) AS "E-bike share %"
FROM places
WHERE place <= 10
ORDER BY place;
