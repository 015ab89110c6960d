-- name: parse_date
-- topic: dates
-- parameters: s, formats, pivot_year := 69
-- purpose: a date in one of the strptime formats given, the first that fits; ordinals and Sept are read, two-digit years before pivot_year are 20xx, from it on 19xx
-- nulls: null where none of the formats fits; a column that is a date already stays one
-- also: to_date, str_to_date, strptime, to_datetime, DATEVALUE, TRY_TO_DATE, parse_date_multi, datetime.strptime
-- example: parse_date('5/3/2024', '%d/%m/%Y') => DATE '2024-03-05'
-- example: parse_date('Sept 1st, 2024', ['%d/%m/%Y', '%b %d, %Y']) => DATE '2024-09-01'
-- example: parse_date('05/03/23', ['%d/%m/%Y']) => DATE '2023-03-05'
-- example: parse_date('16-07-68', '%d-%m-%y', 30) => DATE '1968-07-16'
-- example: parse_date('30/02/2024', '%d/%m/%Y') => NULL
-- example: parse_date(NULL, '%Y') => NULL
list_transform(
    [CASE WHEN typeof(s) IN ('DATE', 'TIMESTAMP') THEN try_cast(s AS DATE) ELSE try_strptime(
        regexp_replace(regexp_replace(squeeze_space(s), '(?i)([0-9])(?:st|nd|rd|th)\b', '\1', 'g'), '(?i)\b(sep)t\b', '\1'),
        formats
    )::DATE END],
    lambda date_: CASE
        WHEN date_ IS NULL OR strpos(s::VARCHAR, lpad(year(date_)::VARCHAR, 4, '0')) > 0 THEN date_
        ELSE try_cast(CASE WHEN year(date_) % 100 < pivot_year THEN '20' ELSE '19' END || right(date_::VARCHAR, 8) AS DATE)
    END
)[1]
