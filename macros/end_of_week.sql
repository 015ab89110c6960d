-- name: end_of_week
-- topic: dates
-- parameters: d, first_weekday := 1
-- purpose: the last day of a date's week, a date; weeks begin on first_weekday, 1 Monday to 7 Sunday
-- nulls: null where it is no date
-- also: week_end
-- example: end_of_week(DATE '2024-02-26') => DATE '2024-03-03'
-- example: end_of_week(DATE '2024-03-03', 7) => DATE '2024-03-09'
-- example: end_of_week(NULL) => NULL
start_of_week(d, first_weekday) + 6
