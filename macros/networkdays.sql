-- name: networkdays
-- topic: dates
-- parameters: first_day, last_day_in, holidays := []
-- purpose: how many working days, Monday to Friday, there are from one date to another, both counted, less the holidays that fall on them; negative where the second is earlier
-- nulls: null where either is no date
-- also: NETWORKDAYS, busday_count, bdate_range, workdays_between
-- example: networkdays(DATE '2024-03-01', DATE '2024-03-04') => 2
-- example: networkdays(DATE '2024-03-02', DATE '2024-03-03') => 0
-- example: networkdays(DATE '2024-03-25', DATE '2024-04-05', [DATE '2024-03-29', DATE '2024-04-01']) => 8
-- example: networkdays(DATE '2024-03-04', DATE '2024-03-01') => -2
-- example: networkdays(NULL, DATE '2024-03-01') => NULL
CASE
    WHEN as_date(first_day) <= as_date(last_day_in)
    THEN weekdays_before(as_date(last_day_in) + 1) - weekdays_before(as_date(first_day)) - len(list_filter(
        list_distinct(holidays::DATE[]),
        lambda day_: isodow(day_) < 6 AND day_ BETWEEN as_date(first_day) AND as_date(last_day_in)))
    WHEN as_date(first_day) > as_date(last_day_in)
    THEN weekdays_before(as_date(last_day_in)) - weekdays_before(as_date(first_day) + 1) + len(list_filter(
        list_distinct(holidays::DATE[]),
        lambda day_: isodow(day_) < 6 AND day_ BETWEEN as_date(last_day_in) AND as_date(first_day)))
END
