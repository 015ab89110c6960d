-- name: parse_clock
-- topic: dates
-- parameters: s
-- purpose: a time of day, on 24 hours or with am and pm: 7:03, 19.03, 7h03, 7:03:09.5 pm, 7 pm, 7:03p
-- nulls: null where it is none
-- also: TIMEVALUE, parse_time, to_time, strptime.time
-- example: parse_clock('7:03 p.m.') => TIME '19:03:00'
-- example: parse_clock('19.03') => TIME '19:03:00'
-- example: parse_clock('7:00p') => TIME '19:00:00'
-- example: parse_clock('12 am') => TIME '00:00:00'
-- example: parse_clock('23:59:59.25') => TIME '23:59:59.25'
-- example: parse_clock('24:00') => NULL
-- example: parse_clock('13:00 pm') => NULL
-- example: parse_clock('7') => NULL
try_strptime(
    regexp_replace(regexp_replace(
        regexp_extract(
            lower(squeeze_space(s)),
            '^[0-9]{1,2}(?:[:.h][0-9]{2}(?::[0-9]{2}(?:[.][0-9]{1,6})?)?)?(?: ?[ap][.]?(?:m[.]?)?)?$'),
        '^([0-9]+)[.h]', '\1:'),
        ' ?([ap])[.]?(?:m[.]?)?$', ' \1m'),
    ['%H:%M:%S.%f', '%H:%M:%S', '%H:%M', '%I:%M:%S.%f %p', '%I:%M:%S %p', '%I:%M %p', '%I %p']
)::TIME
