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
    WHEN try_cast(first_day AS DATE) <= try_cast(last_day_in AS DATE)
    THEN weekdays_before(try_cast(last_day_in AS DATE) + 1) - weekdays_before(try_cast(first_day AS DATE)) - len(list_filter(
        list_distinct(holidays::DATE[]),
        lambda day_: isodow(day_) < 6 AND day_ BETWEEN try_cast(first_day AS DATE) AND try_cast(last_day_in AS DATE)))
    WHEN try_cast(first_day AS DATE) > try_cast(last_day_in AS DATE)
    THEN weekdays_before(try_cast(last_day_in AS DATE)) - weekdays_before(try_cast(first_day AS DATE) + 1) + len(list_filter(
        list_distinct(holidays::DATE[]),
        lambda day_: isodow(day_) < 6 AND day_ BETWEEN try_cast(last_day_in AS DATE) AND try_cast(first_day AS DATE)))
END
