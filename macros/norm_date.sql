-- name: norm_date
-- parameters: s
-- purpose: a date as ISO text; what is no date stays text, trimmed
-- nulls: empty, na, n/a, null and null are null
-- example: norm_date('5/1/2024') => '2024-01-05'
-- example: norm_date(' 2024/1/5 ') => '2024-01-05'
-- example: norm_date('Jan 5') => 'Jan 5'
-- example: norm_date('none') => 'none'
-- example: norm_date('n/a') => NULL
coalesce(date_iso(ascii_digits(strip_space(s))), blank_date_to_null(strip_space(s)))
