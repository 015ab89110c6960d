-- name: norm_timestamp
-- topic: comparing
-- parameters: s
-- purpose: an ISO date with time as one text for one moment: T or blank, seconds or none, zeros after the last digit of a second and Z play no part; other cells as norm_datetime
-- nulls: empty, na, n/a, null and null are null
-- example: norm_timestamp('2024-01-05T07:03') => '2024-01-05 07:03:00'
-- example: norm_timestamp('2024-01-05 07:03:09.500Z') => '2024-01-05 07:03:09.5'
-- example: norm_timestamp('2024-01-05 07:03:00.000') => '2024-01-05 07:03:00'
-- example: norm_timestamp('2024-01-05 07:03:00.050001') => '2024-01-05 07:03:00.050001'
-- example: norm_timestamp('5/1/2024 7:03:09') => '2024-01-05 07:03:09'
-- example: norm_timestamp('soon') => 'soon'
-- example: norm_timestamp('na') => NULL
CASE
    WHEN regexp_full_match(
        strip_space(s), '[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?Z?', 'i'
    )
    THEN left(strip_space(s), 10) || ' ' || substr(strip_space(s), 12, 5)
        || coalesce(nullif(regexp_extract(s, ':[0-9]{2}(:[0-9]{2})', 1), ''), ':00')
        || rtrim(regexp_extract(s, '[.][0-9]+'), '.0')
    ELSE norm_datetime(s)
END
