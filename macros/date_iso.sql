-- name: date_iso
-- topic: comparing
-- parameters: s
-- purpose: a date written Y-m-d, Y/m/d or d/m/Y as ISO text; null where it is none
-- nulls: null stays null
-- example: date_iso('2024-3-07') => '2024-03-07'
-- example: date_iso('7/3/2024') => '2024-03-07'
-- example: date_iso('1/2/999') => '0999-02-01'
-- example: date_iso('2023-02-29') => NULL
-- example: date_iso('24-01-01') => NULL
-- every form is rewritten as Y-m-d, then the calendar decides
strftime(try_cast(replace(regexp_extract(
    regexp_replace(regexp_replace(regexp_replace(s,
        '^(3[0-1]|[1-2][0-9]|0[1-9]| ?[1-9])/(1[0-2]|0[1-9]|[1-9])/([0-9]{4})$', '\3-\2-\1'),
        '^(3[0-1]|[1-2][0-9]|0[1-9]| ?[1-9])/(1[0-2]|0[1-9]|[1-9])/([0-9]{3})$', '0\3-\2-\1'),
        '^([0-9]{4})/(1[0-2]|0[1-9]|[1-9])/(3[0-1]|[1-2][0-9]|0[1-9]| ?[1-9])$', '\1-\2-\3'),
    '^(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])-(1[0-2]|0[1-9]|[1-9])-(3[0-1]|[1-2][0-9]|0[1-9]| ?[1-9])$'
), ' ', '') AS DATE), '%Y-%m-%d')
