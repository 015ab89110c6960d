-- name: parse_any_date
-- topic: dates
-- parameters: s, parts, pivot_year := 69
-- purpose: a date however it is written; parts says how three bare numbers are meant: dmy, mdy or ymd; a year of four digits in front, month names and 20240305 are read the same in each, weekdays, ordinals and a time after it are left out
-- nulls: null where it is no date of the calendar; two-digit years before pivot_year are 20xx, from it on 19xx
-- also: to_datetime.dayfirst, dateutil.parse, lubridate.dmy, anydate, to_date, parse_date_multi
-- example: parse_any_date('5.3.24', 'dmy') => DATE '2024-03-05'
-- example: parse_any_date('05/03/2024', 'mdy') => DATE '2024-05-03'
-- example: parse_any_date('24-3-5', 'ymd') => DATE '2024-03-05'
-- example: parse_any_date('Tuesday, the 5th of March 2024', 'mdy') => DATE '2024-03-05'
-- example: parse_any_date('Sept. 1, 2024 10:30 am', 'dmy') => DATE '2024-09-01'
-- example: parse_any_date('2024-03-05T10:00:00Z', 'dmy') => DATE '2024-03-05'
-- example: parse_any_date('16-07-68', 'dmy', 30) => DATE '1968-07-16'
-- example: parse_any_date('29.02.2023', 'dmy') => NULL
-- example: parse_any_date('soon', 'dmy') => NULL
dmy_to_date(regexp_replace(regexp_replace(regexp_replace(
    date_tokens(s),
    '^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})$|^([0-9]{4})(0[1-9]|1[0-2])([0-9]{2})$', '\3\6/\2\5/\1\4'),
    '^(?:([0-9]{4})-?([a-z]{3})-?([0-9]{1,2})|([0-9]{1,2})-?([a-z]{3})-?([0-9]{4}|[0-9]{2})|([a-z]{3})-?([0-9]{1,2})-([0-9]{4}|[0-9]{2}))$',
    '\3\4\8/\2\5\7/\1\6\9'),
    '^([0-9]{1,2})-([0-9]{1,2})-([0-9]{4}|[0-9]{1,2})$|^([0-9]{2})([0-9]{2})([0-9]{4}|[0-9]{2})$',
    CASE lower(parts) WHEN 'dmy' THEN '\1\4/\2\5/\3\6' WHEN 'mdy' THEN '\2\5/\1\4/\3\6' WHEN 'ymd' THEN '\3\6/\2\5/\1\4'
    ELSE error('parse_any_date: parts is dmy, mdy or ymd') END
), pivot_year)
