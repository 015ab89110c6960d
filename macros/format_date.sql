-- name: format_date
-- topic: dates
-- parameters: d, pattern := '%d/%m/%Y'
-- purpose: a date as text by a strftime pattern: %d 05, %-d 5, %m 03, %b Mar, %B March, %Y 2024, %y 24, %a Tue, %A Tuesday
-- nulls: null where it is no date
-- also: to_char, DATE_FORMAT, FORMAT_DATE, TEXT, dt.strftime
-- example: format_date(DATE '2024-03-05') => '05/03/2024'
-- example: format_date('2024-03-05', '%-d %b %Y') => '5 Mar 2024'
-- example: format_date('soon') => NULL
strftime(try_cast(d AS TIMESTAMP), pattern)
