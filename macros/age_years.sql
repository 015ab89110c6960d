-- name: age_years
-- topic: dates
-- parameters: born, on_day
-- purpose: the age in whole years on a day; born on 29 February, one is a year older on 1 March of other years
-- nulls: null where either is no date or the day is before the birth
-- also: age, DATEDIF, years_between, relativedelta.years
-- example: age_years(DATE '2000-06-15', DATE '2024-06-14') => 23
-- example: age_years(DATE '2000-02-29', DATE '2023-02-28') => 22
-- example: age_years(DATE '2000-02-29', DATE '2023-03-01') => 23
-- example: age_years(DATE '2024-01-01', DATE '2023-01-01') => NULL
CASE WHEN as_date(on_day) >= as_date(born) THEN
    year(as_date(on_day)) - year(as_date(born))
    - CASE WHEN 100 * month(as_date(on_day)) + day(as_date(on_day))
        < 100 * month(as_date(born)) + day(as_date(born)) THEN 1 ELSE 0 END
END
