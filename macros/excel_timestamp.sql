-- name: excel_timestamp
-- topic: dates
-- parameters: n
-- purpose: the moment of a spreadsheet's serial number, to the nearest second
-- nulls: null where excel_date is
-- also: from_excel, xldate_as_datetime
-- example: excel_timestamp(45356.75) => TIMESTAMP '2024-03-05 18:00:00'
-- example: excel_timestamp('45356') => TIMESTAMP '2024-03-05 00:00:00'
-- example: excel_timestamp(0.5) => NULL
excel_date(n)::TIMESTAMP + to_seconds(try_cast(round((try_cast(n AS DOUBLE) - floor(try_cast(n AS DOUBLE))) * 86400) AS BIGINT))
