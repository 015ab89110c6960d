-- name: format_duration
-- topic: dates
-- parameters: seconds
-- purpose: seconds as h:mm:ss, hours beyond 24 included, rounded to whole seconds
-- nulls: null stays null
-- also: sec_to_time, TEXT
-- example: format_duration(5405) => '1:30:05'
-- example: format_duration(90000) => '25:00:00'
-- example: format_duration(-59.6) => '-0:01:00'
-- example: format_duration(NULL) => NULL
CASE WHEN round(seconds) < 0 THEN '-' ELSE '' END || try_cast(floor(abs(round(seconds)) / 3600) AS BIGINT) || ':'
|| lpad((try_cast(floor(abs(round(seconds)) / 60) AS BIGINT) % 60)::VARCHAR, 2, '0') || ':' || lpad((try_cast(abs(round(seconds)) AS BIGINT) % 60)::VARCHAR, 2, '0')
