-- name: month_name
-- topic: dates
-- parameters: n
-- purpose: the English name of a month's number, 1 to 12
-- nulls: null for any other number
-- also: monthname, calendar.month_name, dt.month_name
-- example: month_name(9) => 'September'
-- example: month_name(13) => NULL
-- example: month_name(NULL) => NULL
nullif(split_part('January,February,March,April,May,June,July,August,September,October,November,December', ',', CASE WHEN n BETWEEN 1 AND 12 THEN n::INTEGER ELSE 13 END), '')
