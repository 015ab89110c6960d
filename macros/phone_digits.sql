-- name: phone_digits
-- topic: codes
-- parameters: s
-- purpose: the digits of a telephone number, with + in front where it is international (+ or 00); an extension is left out
-- nulls: null where there are fewer than 5 digits or more than 15
-- also: normalize_phone, clean_phone
-- example: phone_digits('(020) 7946 0018') => '02079460018'
-- example: phone_digits('0044 20 7946-0018 ext. 12') => '+442079460018'
-- example: phone_digits('+44 (0)20 7946 0018') => '+442079460018'
-- example: phone_digits('n/a') => NULL
nullif(regexp_extract(
    regexp_replace(regexp_replace(
        regexp_replace(regexp_replace(ascii_digits(lower(strip_space(s::VARCHAR))), '(?:ext?|extension|x|#)[ .:]*[0-9]+$', ''), '^([+]|00)(.*)[(]0[)]', '\1\2'),
        '^[^0-9+]*(?:[+]|00)', '+'),
        '([+]?)[^0-9+]*', '\1', 'g'),
    '^[+]?[0-9]{5,15}$'), '')
