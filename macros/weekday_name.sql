-- name: weekday_name
-- topic: dates
-- parameters: d
-- purpose: the English name of a date's weekday
-- nulls: null where it is no date
-- also: dayname, day_name, dt.day_name, TEXT
-- example: weekday_name(DATE '2024-03-05') => 'Tuesday'
-- example: weekday_name(DATE '2000-02-29') => 'Tuesday'
-- example: weekday_name('x') => NULL
strftime(as_date(d), '%A')
