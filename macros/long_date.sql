-- name: long_date
-- topic: dates
-- parameters: d
-- purpose: a date in English words: Tuesday, 5th March 2024
-- nulls: null where it is no date
-- also: date_in_words
-- example: long_date(DATE '2024-03-05') => 'Tuesday, 5th March 2024'
-- example: long_date(DATE '2023-12-22') => 'Friday, 22nd December 2023'
-- example: long_date(NULL) => NULL
strftime(as_date(d), '%A, ') || ordinal(day(as_date(d))) || strftime(as_date(d), ' %B %Y')
