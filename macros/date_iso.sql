-- name: date_iso
-- parameters: s
-- purpose: a date written Y-m-d, Y/m/d or d/m/Y as ISO text; null where it is none
-- nulls: null stays null
-- example: date_iso('2024-3-07') => '2024-03-07'
-- example: date_iso('7/3/2024') => '2024-03-07'
-- example: date_iso('1/2/999') => '0999-02-01'
-- example: date_iso('2023-02-29') => NULL
-- example: date_iso('24-01-01') => NULL
CASE
    WHEN regexp_full_match(s, '([0-9]{4})-(1[0-2]|0[1-9]|[1-9])-(3[0-1]|[1-2][0-9]|0[1-9]|[1-9]| [1-9])|([0-9]{4})/(1[0-2]|0[1-9]|[1-9])/(3[0-1]|[1-2][0-9]|0[1-9]|[1-9]| [1-9])') THEN valid_date(regexp_extract(s, '^[0-9]+'), regexp_extract(s, '[-/]([0-9]+)[-/]', 1), regexp_extract(s, '[0-9]+$'))
    WHEN regexp_full_match(s, '(3[0-1]|[1-2][0-9]|0[1-9]|[1-9]| [1-9])/(1[0-2]|0[1-9]|[1-9])/[0-9]{3,4}') THEN valid_date(regexp_extract(s, '[0-9]+$'), regexp_extract(s, '/([0-9]+)/', 1), regexp_extract(s, '^ ?([0-9]+)', 1))
END
