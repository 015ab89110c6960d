-- name: parse_any_timestamp
-- topic: dates
-- parameters: s, parts, pivot_year := 69
-- purpose: a date with its time of day however both are written, parts as in parse_any_date; a time with Z or an offset is given in UTC
-- nulls: null where the date or the time is none; a date alone is midnight
-- also: to_timestamp, to_datetime, TIMESTAMP_PARSE, datetime.fromisoformat
-- example: parse_any_timestamp('5/3/2024 7:03 pm', 'dmy') => TIMESTAMP '2024-03-05 19:03:00'
-- example: parse_any_timestamp('2024-03-05T01:30:00+02:00', 'dmy') => TIMESTAMP '2024-03-04 23:30:00'
-- example: parse_any_timestamp('5 March 2024', 'dmy') => TIMESTAMP '2024-03-05 00:00:00'
-- example: parse_any_timestamp('5/3/2024 25:00', 'dmy') => NULL
CASE WHEN regexp_matches(s::VARCHAR, '[0-9]:[0-9]') THEN
    parse_any_date(s, parts, pivot_year)
    + parse_clock(regexp_extract(
        lower(squeeze_space(s)), '(?:[ ,]|t)([0-9]{1,2}:[0-9]{2}[0-9:.]*(?: ?[ap][.]?m[.]?)?)(?: ?(?:z|utc|gmt|[+-][0-9]{2}:?[0-9]{2}))?$', 1))
    - to_minutes(coalesce(try_cast(
        regexp_extract(squeeze_space(s), ':[0-9.]+ ?([+-])[0-9]{2}:?[0-9]{2}$', 1)
        || (60 * try_cast(regexp_extract(squeeze_space(s), ':[0-9.]+ ?[+-]([0-9]{2}):?[0-9]{2}$', 1) AS INTEGER)
        + try_cast(regexp_extract(squeeze_space(s), ':[0-9.]+ ?[+-][0-9]{2}:?([0-9]{2})$', 1) AS INTEGER)) AS INTEGER), 0))
ELSE parse_any_date(s, parts, pivot_year)::TIMESTAMP END
