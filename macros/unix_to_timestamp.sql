-- name: unix_to_timestamp
-- topic: dates
-- parameters: n
-- purpose: the moment, in UTC, of a count of seconds since 1970; counts from 10^11 on are milliseconds, from 10^14 on microseconds
-- nulls: null where it is no number or beyond 10^17
-- also: from_unixtime, epoch, to_datetime.unit, datetime.fromtimestamp
-- example: unix_to_timestamp(1709636580) => TIMESTAMP '2024-03-05 11:03:00'
-- example: unix_to_timestamp('1709636580500') => TIMESTAMP '2024-03-05 11:03:00.5'
-- example: unix_to_timestamp(-1) => TIMESTAMP '1969-12-31 23:59:59'
-- example: unix_to_timestamp('x') => NULL
CASE
    WHEN abs(try_cast(n AS DOUBLE)) < 1e11 THEN make_timestamp(round(try_cast(n AS DOUBLE) * 1e6)::BIGINT)
    WHEN abs(try_cast(n AS DOUBLE)) < 1e14 THEN make_timestamp(round(try_cast(n AS DOUBLE) * 1e3)::BIGINT)
    WHEN abs(try_cast(n AS DOUBLE)) < 1e17 THEN make_timestamp(try_cast(n AS BIGINT))
END
