-- name: parse_duration
-- topic: dates
-- parameters: s
-- purpose: a length of time in seconds: 1h 30m, 90 min, 2 days 3 hours, 1:30:00 (h:m:s), 1:30 (h:m)
-- nulls: null where it is none
-- also: to_timedelta, timedelta, TIMEVALUE
-- example: parse_duration('1h 30m') => 5400
-- example: parse_duration('1:30:05') => 5405
-- example: parse_duration('2 days, 3 hours') => 183600
-- example: parse_duration('1.5 hrs') => 5400
-- example: parse_duration('90') => NULL
-- example: parse_duration('soon') => NULL
CASE
    WHEN regexp_full_match(strip_space(s), '[0-9]+:[0-5]?[0-9](:[0-5]?[0-9]([.][0-9]+)?)?')
    THEN 3600 * try_cast(split_part(strip_space(s), ':', 1) AS DOUBLE) + 60 * try_cast(split_part(strip_space(s), ':', 2) AS DOUBLE)
        + coalesce(try_cast(split_part(strip_space(s), ':', 3) AS DOUBLE), 0)
    WHEN regexp_full_match(lower(strip_space(s)), '(?:[0-9]+(?:[.][0-9]+)?\s*(?:d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)(?:[\s,]+(?:and\s+)?|$))+'
        || '|(?:[0-9]+d)?(?:[0-9]+h)?(?:[0-9]+m)?(?:[0-9]+s)?') AND strip_space(s) <> ''
    THEN coalesce(try_cast(regexp_extract(lower(s), '([0-9.]+)\s*d', 1) AS DOUBLE), 0) * 86400
        + coalesce(try_cast(regexp_extract(lower(s), '([0-9.]+)\s*h', 1) AS DOUBLE), 0) * 3600
        + coalesce(try_cast(regexp_extract(lower(s), '([0-9.]+)\s*m', 1) AS DOUBLE), 0) * 60
        + coalesce(try_cast(regexp_extract(lower(s), '([0-9.]+)\s*s', 1) AS DOUBLE), 0)
END
