-- name: valid_date
-- parameters: y, m, d
-- purpose: year, month and day as ISO text; null where the calendar has no such day
-- nulls: a null part gives null
-- example: valid_date('999', '2', '3') => '0999-02-03'
-- example: valid_date('2024', '2', '30') => NULL
-- example: valid_date('0000', '1', '1') => NULL
CASE
    WHEN try_cast(y AS INTEGER) > 0 AND try_cast(lpad(y, 4, '0') || '-' || m || '-' || d AS DATE) IS NOT NULL
    THEN lpad(y, 4, '0') || '-' || lpad(m, 2, '0') || '-' || lpad(d, 2, '0')
END
