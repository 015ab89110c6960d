-- name: plus_workdays
-- topic: dates
-- parameters: d, n, holidays := []
-- purpose: the n-th working day, Monday to Friday, after a date, or before it where n is negative; each holiday that falls on a working day on the way is passed over
-- nulls: null where either is null or d is no date
-- also: WORKDAY, BDay, CustomBusinessDay, busday_offset
-- example: plus_workdays(DATE '2024-03-01', 1) => DATE '2024-03-04'
-- example: plus_workdays(DATE '2024-03-03', 5) => DATE '2024-03-08'
-- example: plus_workdays(DATE '2024-03-04', -1) => DATE '2024-03-01'
-- example: plus_workdays(DATE '2024-03-28', 1, [DATE '2024-03-29', DATE '2024-04-01']) => DATE '2024-04-02'
-- example: plus_workdays(DATE '2024-03-02', 0) => DATE '2024-03-02'
-- example: plus_workdays('soon', 1) => NULL
CASE WHEN n = 0 OR n IS NULL THEN CASE WHEN n = 0 THEN as_date(d) END ELSE list_extract(list_filter(
    list_transform(range(1, 8 + 2 * (abs(n)::BIGINT + len(holidays))), lambda step_: as_date(d) + (step_ * sign(n))::INTEGER),
    lambda day_: isodow(day_) < 6 AND NOT list_contains(holidays::DATE[], day_)
), abs(n)::BIGINT) END
