-- name: clock_iso
-- topic: comparing
-- parameters: s
-- purpose: a time of day h:m or h:m:s with two digits a part
-- nulls: null stays null
-- example: clock_iso('7:3') => '07:03:00'
-- example: clock_iso('17:03:9') => '17:03:09'
lpad(split_part(s, ':', 1), 2, '0') || ':' || lpad(split_part(s, ':', 2), 2, '0') || ':' || lpad(split_part(s, ':', 3), 2, '0')
