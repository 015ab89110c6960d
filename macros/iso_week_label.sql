-- name: iso_week_label
-- topic: dates
-- parameters: d
-- purpose: a date's ISO week with the year it belongs to: 2025-W01 for 30 December 2024
-- nulls: null where it is no date
-- also: ISOWEEKNUM, isocalendar, dt.week, year_week
-- example: iso_week_label(DATE '2024-12-30') => '2025-W01'
-- example: iso_week_label(DATE '2021-01-03') => '2020-W53'
-- example: iso_week_label('x') => NULL
strftime(as_date(d), '%G-W%V')
