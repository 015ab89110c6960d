-- name: phone_international
-- topic: codes
-- parameters: s, country
-- purpose: a telephone number in international form, +442079460018, where a number without + or 00 belongs to the country of that dialling code
-- nulls: null where it has not 7 to 15 digits with the country's
-- also: E164, phonenumbers.format_number
-- example: phone_international('(020) 7946 0018', '44') => '+442079460018'
-- example: phone_international('+1 202 555 0143', '44') => '+12025550143'
-- example: phone_international(2025550143, 1) => '+12025550143'
-- example: phone_international('12', '44') => NULL
nullif(regexp_extract(CASE
    WHEN phone_digits(s) LIKE '+%' THEN phone_digits(s)
    ELSE '+' || country || regexp_replace(phone_digits(s), '^0', '')
END, '^[+][1-9][0-9]{6,14}$'), '')
