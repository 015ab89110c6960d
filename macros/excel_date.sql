-- name: excel_date
-- topic: dates
-- parameters: n
-- purpose: the date of a spreadsheet's serial number, the 1900 system: 45356 is 2024-03-05; a fraction, the time, is left out
-- nulls: null where it is no such number (below 1, beyond 9999-12-31) or 60, the day that Excel made up
-- also: from_excel, xldate_as_datetime, serial_date
-- example: excel_date(45356) => DATE '2024-03-05'
-- example: excel_date('45356.75') => DATE '2024-03-05'
-- example: excel_date(1) => DATE '1900-01-01'
-- example: excel_date(60) => NULL
-- example: excel_date('x') => NULL
CASE
    WHEN try_cast(n AS DOUBLE) >= 61 AND try_cast(n AS DOUBLE) < 2958466 THEN DATE '1899-12-30' + floor(try_cast(n AS DOUBLE))::INTEGER
    WHEN try_cast(n AS DOUBLE) >= 1 AND try_cast(n AS DOUBLE) < 60 THEN DATE '1899-12-31' + floor(try_cast(n AS DOUBLE))::INTEGER
END
