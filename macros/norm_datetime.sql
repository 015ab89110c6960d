-- name: norm_datetime
-- parameters: s
-- purpose: a date with time as ISO text; what is none stays text, trimmed
-- nulls: empty, na, n/a, null and null are null
-- example: norm_datetime('2024-1-5 7:03') => '2024-01-05 07:03:00'
-- example: norm_datetime('5/1/2024 17:03:09') => '2024-01-05 17:03:09'
-- example: norm_datetime('2024/01/05 17:03') => '2024/01/05 17:03'
-- example: norm_datetime('2024-01-05') => '2024-01-05'
-- example: norm_datetime('na') => NULL
coalesce(datetime_iso(ascii_digits(strip_space(s))), blank_date_to_null(strip_space(s)))
