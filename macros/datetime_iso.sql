-- name: datetime_iso
-- topic: comparing
-- parameters: s
-- purpose: a date and a time, seconds optional after Y-m-d, as ISO text; null where it is none
-- nulls: null stays null
-- example: datetime_iso('2024-1-5 7:03') => '2024-01-05 07:03:00'
-- example: datetime_iso('2024-1-5 24:03') => NULL
-- example: datetime_iso('5/1/2024 7:03') => NULL
CASE
    WHEN regexp_full_match(s, '[0-9]{4}-[0-9]+-( ?[0-9])[0-9]?[\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]+(2[0-3]|[0-1][0-9]|[0-9]):([0-5][0-9]|[0-9])(:([0-5][0-9]|[0-9]))?|[0-9]+/[0-9]+/( ?[0-9])[0-9]*[\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]+(2[0-3]|[0-1][0-9]|[0-9]):([0-5][0-9]|[0-9]):([0-5][0-9]|[0-9])| ?[0-9]+/[0-9]+/[0-9]+[\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]+(2[0-3]|[0-1][0-9]|[0-9]):([0-5][0-9]|[0-9]):([0-5][0-9]|[0-9])')
    THEN date_iso(regexp_extract(s, '^( ?[0-9]+[-/][0-9]+[-/] ?[0-9]+)[\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]', 1)) || ' ' || clock_iso(regexp_extract(s, '[\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]([0-9:]+)$', 1))
END
