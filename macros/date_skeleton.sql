-- name: date_skeleton
-- topic: parts
-- parameters: s
-- purpose: a text in small letters, without spare white space, with months' and weekdays' names, times, years and other numbers of a date written as Mon, Day, time, yyyy, yy and n
-- nulls: null stays null
-- example: date_skeleton('tue 5 sept 2024, 3pm') => 'Day n Mon yyyy, time'
-- example: date_skeleton('05/03/24') => 'n/n/yy'
-- example: date_skeleton('may') => 'Mon'
regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    s,
    '([0-9])t([0-9])', '\1 \2'),
    '[0-9]{1,2}(?:[:h][0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?: ?[ap][.]?m?[.]?)?| ?[ap][.]?m[.]?)( ?(?:z|utc|gmt|[-+][0-9]{2}:?(?:[0-9]{2})?))?$', 'time\1'),
    'time ?(?:z|utc|gmt|[-+][0-9].*)$', 'time zone'),
    '(^|[^a-z])(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.]?([^a-z]|$)', '\1Mon\2'),
    '(^|[^a-z])(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?[.]?([^a-z]|$)', '\1Day\2'),
    '(^|[^0-9])(?:[12][0-9]{3}|9999)([^0-9]|$)', '\1yyyy\2'),
    '^((?:[^y]|ay)*(?:[-/._ '']|Mon))([0-9]{2})($|[ ,]+time)', '\1yy\3'),
    '[0-9]{1,2}(st|nd|rd|th)', 'nth'),
    '[0-9]{1,2}', 'n', 'g')
