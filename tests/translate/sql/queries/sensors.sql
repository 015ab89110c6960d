SELECT a.sensor, a.time, b.factor FROM input_01 a ASOF LEFT JOIN input_03 b ON a.sensor = b.sensor AND a.time >= b."from" ORDER BY ALL;

SELECT sensor, time, value FROM input_01 QUALIFY row_number() OVER (PARTITION BY sensor, time ORDER BY rowid DESC) = 1 ORDER BY ALL;

SELECT sensor, time_bucket(INTERVAL 6 HOURS, time) AS slot, avg(TRY_CAST(value AS DOUBLE)) AS v, count(*) AS n FROM input_01 GROUP BY ALL HAVING n > 0 ORDER BY ALL;

SELECT s.sensor, t.h FROM input_02 s, range(0, 24, 8) t(h) ORDER BY ALL;

SELECT s.sensor, generate_series(1, 3) AS l FROM input_02 s ORDER BY 1;

WITH d AS (SELECT sensor, time, value, lag(time) OVER (PARTITION BY sensor ORDER BY time) AS prev FROM input_01), g AS (SELECT *, CASE WHEN prev IS NULL OR date_diff('hour', prev, time) > 6 THEN 1 ELSE 0 END AS start FROM d), s AS (SELECT *, sum(start) OVER (PARTITION BY sensor ORDER BY time ROWS UNBOUNDED PRECEDING) AS grp FROM g) SELECT sensor, grp, min(time) AS a, max(time) AS b, count(*) AS n FROM s GROUP BY sensor, grp ORDER BY ALL;

SELECT kind, max(low) AS low, arg_min(room, sensor) AS r FROM input_02 GROUP BY kind ORDER BY ALL;

SELECT upper(a.sensor) AS sensor, count(DISTINCT b.sensor) AS others FROM input_02 a LEFT JOIN input_02 b ON a.room = b.room AND a.sensor <> b.sensor GROUP BY upper(a.sensor) ORDER BY ALL;

SELECT sensor, flag, count(*) AS n, sum(count(*)) OVER (PARTITION BY sensor) AS total, round(100.0 * n / total, 1) AS share FROM input_01 GROUP BY sensor, flag ORDER BY ALL;

SELECT i.*, j.room FROM input_01 AS i INNER JOIN input_02 AS j USING (sensor) WHERE j.kind = 'temp' ORDER BY ALL;

SELECT * EXCLUDE (flag), coalesce(flag, 'ok') AS flag FROM input_01 ORDER BY ALL LIMIT 20;

SELECT * REPLACE (upper(sensor) AS sensor) FROM input_01 WHERE sensor IN (SELECT sensor FROM input_02) ORDER BY ALL;

SELECT sensor FROM input_01 GROUP BY sensor HAVING bool_or(flag IS NOT NULL) AND count(*) > 2 ORDER BY sensor;

SELECT CASE sensor WHEN 'S1' THEN 'one' ELSE lower(sensor) END AS s, min(time)::DATE AS d FROM input_01 GROUP BY s ORDER BY s;

SELECT x.sensor, x.n FROM (SELECT sensor, count(*) AS n, rank() OVER (ORDER BY count(*) DESC) AS r FROM input_01 GROUP BY sensor) AS x WHERE x.r <= 2 ORDER BY ALL;

SELECT a.sensor, (SELECT b.factor FROM input_03 b WHERE b.sensor = a.sensor AND a.time::DATE BETWEEN b."from" AND coalesce(b."to", DATE '2999-01-01') LIMIT 1) IS NOT NULL AS known FROM input_01 a ORDER BY ALL;

SELECT sensor, list(value ORDER BY time) AS vs, list_sort(list(DISTINCT flag)) AS fs FROM input_01 GROUP BY sensor ORDER BY sensor;

SELECT sensor, unnest(list_slice(list(time ORDER BY time), 1, 2)) AS t FROM input_01 GROUP BY sensor ORDER BY ALL;

SELECT sensor, time, sum(n) OVER (PARTITION BY sensor ORDER BY time RANGE BETWEEN INTERVAL 8 HOURS PRECEDING AND INTERVAL 1 HOUR PRECEDING) AS s FROM (SELECT sensor, time, 1 AS n FROM input_01) ORDER BY ALL;

SELECT kind, room, count(*) FROM input_02 GROUP BY GROUPING SETS ((kind, room), (kind)) HAVING count(*) >= 1 ORDER BY ALL;

(SELECT sensor FROM input_01 LIMIT 0) UNION ALL (SELECT sensor FROM input_02 ORDER BY sensor LIMIT 2) ORDER BY 1;

SELECT sensor FROM input_01 UNION SELECT sensor FROM input_02 UNION ALL SELECT 'x' ORDER BY 1;

SELECT count(*) FILTER (WHERE value IS NULL) AS a, count(*) FILTER (WHERE value IS NOT NULL) / count(*) AS b FROM input_01;

SELECT sensor, first(value ORDER BY time DESC) AS last_value, last(value ORDER BY time DESC) AS first_value FROM input_01 GROUP BY sensor ORDER BY sensor;

SELECT DISTINCT date_trunc('day', time) AS day, dense_rank() OVER (ORDER BY date_trunc('day', time)) AS n FROM input_01 ORDER BY day;

SELECT EXISTS (SELECT 1 FROM input_01 WHERE flag = 'nothing') AS a, NOT EXISTS (SELECT 1 FROM input_01) AS b, 5 IN (SELECT 5) AS c;

SELECT sensor, value FROM input_01 a WHERE value IS NOT NULL AND NOT EXISTS (SELECT 1 FROM input_01 b WHERE b.sensor = a.sensor AND (b.time > a.time OR (b.time = a.time AND b.rowid > a.rowid)) AND b.value IS NOT NULL) ORDER BY ALL;

FROM input_02 ORDER BY ALL;

FROM (FROM input_01 SELECT sensor, count(*) AS n GROUP BY ALL) WHERE n > 3 ORDER BY n DESC, sensor;

SELECT sensor, kind, row_number() OVER (PARTITION BY kind ORDER BY sensor) % 2 = 0 AS even FROM input_02 ORDER BY ALL;

SELECT max(a.time) - min(a.time) AS span FROM input_01 a;

SELECT sensor s, count(*) c FROM input_01 WHERE s LIKE 'S%' GROUP BY s HAVING c > 1 ORDER BY c DESC, s;

SELECT r.sensor, r.n, s.room FROM (SELECT sensor, count(*) n FROM input_01 GROUP BY 1) r JOIN input_02 s ON r.sensor = s.sensor AND s.room IS NOT NULL AND r.n > 1 ORDER BY ALL;

SELECT r.sensor, s.room FROM (SELECT DISTINCT sensor FROM input_01) r LEFT JOIN input_02 s ON r.sensor = s.sensor AND s.kind = 'temp' ORDER BY ALL;

SELECT t.sensor, t.a.time AS tm FROM (SELECT sensor, {'time': time, 'v': value} AS a FROM input_01) t ORDER BY ALL;

SELECT a.sensor, b.sensor AS b FROM input_02 a CROSS JOIN input_02 b WHERE a.sensor < b.sensor ORDER BY ALL;

SELECT * FROM input_02 a NATURAL JOIN input_02 b ORDER BY ALL;

SELECT room, string_agg(sensor, ';') FILTER (WHERE kind = 'temp') AS s FROM (SELECT * FROM input_02 ORDER BY sensor) GROUP BY room ORDER BY room;

SELECT sensor, CAST(value AS VARCHAR) || ' ' || coalesce(flag, '') AS txt, length(txt) AS n FROM input_01 WHERE n > 3 ORDER BY ALL;

WITH a AS (SELECT sensor, count(*) AS n FROM input_01 GROUP BY sensor), b AS (SELECT sensor, count(*) AS n FROM input_03 GROUP BY sensor) SELECT coalesce(a.sensor, b.sensor) AS sensor, a.n AS readings, b.n AS calibrations FROM a FULL JOIN b ON a.sensor = b.sensor ORDER BY ALL;

WITH a AS (SELECT sensor, count(*) AS n FROM input_01 GROUP BY sensor), b AS (SELECT sensor, count(*) AS n FROM input_03 GROUP BY sensor) SELECT sensor, a.n, b.n AS m FROM a FULL JOIN b USING (sensor) WHERE a.n IS NULL OR b.n IS NULL OR a.n > b.n ORDER BY ALL;

WITH a AS (SELECT sensor, count(*) AS n FROM input_01 GROUP BY sensor) SELECT x.sensor, y.n FROM a x RIGHT JOIN a y USING (sensor) ORDER BY ALL;

SELECT sensor FROM input_02 WHERE (SELECT count(*) FROM input_03 c WHERE c.sensor = input_02.sensor) = 0 ORDER BY ALL;

SELECT (SELECT string_agg(sensor, ',' ORDER BY sensor) FROM input_02) AS all_sensors, (SELECT min(time) FROM input_01 WHERE sensor = 'none') AS never;

SELECT sensor, (SELECT avg(TRY_CAST(value AS DOUBLE)) FROM input_01) AS m FROM input_02 WHERE sensor IS NOT NULL ORDER BY ALL;

SELECT a.sensor FROM input_01 a WHERE a.value = ANY (SELECT b.value FROM input_01 b WHERE b.sensor <> a.sensor) GROUP BY a.sensor ORDER BY 1;

SELECT sensor, time FROM input_01 ORDER BY time DESC NULLS LAST, sensor LIMIT 3;

SELECT sensor, count(*) OVER () AS n, sum(1) OVER (PARTITION BY sensor) AS m FROM input_01 WHERE flag IS NULL ORDER BY ALL;
