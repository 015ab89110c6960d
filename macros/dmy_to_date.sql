-- name: dmy_to_date
-- topic: parts
-- parameters: s, pivot_year
-- purpose: a date of day/month/year, the month a number or three letters; two-digit years before pivot_year are 20xx, from it on 19xx
-- nulls: null where it is no date
-- example: dmy_to_date('5/mar/24', 69) => DATE '2024-03-05'
-- example: dmy_to_date('5/3/99', 100) => DATE '2099-03-05'
-- example: dmy_to_date('29/2/00', 0) => NULL
-- example: dmy_to_date('5-3-2024', 69) => NULL
try_strptime(
    regexp_extract(
        regexp_replace(regexp_replace(
            s,
            -- two-digit years from pivot_year to 99
            '/(' || CASE
                WHEN pivot_year > 99 THEN '^'
                WHEN pivot_year > 89 THEN '9[' || pivot_year % 10 || '-9]'
                ELSE floor(pivot_year / 10)::INTEGER || '[' || pivot_year % 10 || '-9]|[' || (floor(pivot_year / 10)::INTEGER + 1) || '-9][0-9]'
            END || ')$', '/19\1'),
            '/([0-9]{2})$', '/20\1'),
        '^[0-9]{1,2}/(?:[0-9]{1,2}|[a-z]{3})/[1-9][0-9]{3}$'
    ),
    ['%d/%m/%Y', '%d/%b/%Y']
)::DATE
