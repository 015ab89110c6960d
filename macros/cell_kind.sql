-- name: cell_kind
-- topic: profiling
-- parameters: s
-- purpose: what kind of thing a cell's text is, white space around it left out: empty, blank, null word, boolean, integer, decimal, number (dressed, by sign, unit, thousands, …), digits (a code: leading zeros or beyond 18 digits), date, timestamp, month, time, text
-- nulls: null is empty
-- also: type_of_text, infer_type, detect_type
-- example: cell_kind('-12') => 'integer'
-- example: cell_kind('007') => 'digits'
-- example: cell_kind('.5') => 'decimal'
-- example: cell_kind('$1.5bn') => 'number'
-- example: cell_kind('12 kg') => 'number'
-- example: cell_kind('1st') => 'number'
-- example: cell_kind('25th_July_2021') => 'date'
-- example: cell_kind('Wed Oct 23 2019') => 'date'
-- example: cell_kind('2024-03-05T10:00:00Z') => 'timestamp'
-- example: cell_kind('Mar 2024') => 'month'
-- example: cell_kind('7:00p') => 'time'
-- example: cell_kind('Not provided') => 'null word'
-- example: cell_kind('May') => 'text'
-- example: cell_kind(' ') => 'blank'
-- example: cell_kind(NULL) => 'empty'
CASE WHEN coalesce(s, '') = '' THEN 'empty' WHEN strip_space(s) = '' THEN 'blank' ELSE coalesce(
    quick_kind(lower(squeeze_space(s))),
    CASE WHEN may_be_date(lower(squeeze_space(s))) THEN split_part(date_form_of(date_skeleton(lower(squeeze_space(s)))), ' ', 1) END,
    CASE WHEN may_be_number(lower(squeeze_space(s))) AND number_form_of(lower(squeeze_space(s))) IS NOT NULL THEN 'number' END,
    'text')
END
