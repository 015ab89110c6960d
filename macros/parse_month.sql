-- name: parse_month
-- topic: dates
-- parameters: s, pivot_year := 69
-- purpose: the first day of a month written as Mar 2024, March-24, 2024-03, 03/2024 or 202403
-- nulls: null where it is no such month
-- also: month_to_date, to_period
-- example: parse_month('Sept 2024') => DATE '2024-09-01'
-- example: parse_month('Jan-24') => DATE '2024-01-01'
-- example: parse_month('3/2024') => DATE '2024-03-01'
-- example: parse_month('2024-13') => NULL
-- example: parse_month('March') => NULL
dmy_to_date(regexp_replace(regexp_replace(
    date_tokens(s),
    '^([1-9][0-9]{3})-?([0-9]{1,2}|[a-z]{3})$', '1/\2/\1'),
    '^([0-9]{1,2})-([0-9]{4})$|^([a-z]{3})-?([0-9]{4}|[0-9]{2})$', '1/\1\3/\2\4'
), pivot_year)
