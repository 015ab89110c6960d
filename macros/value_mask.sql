-- name: value_mask
-- topic: profiling
-- parameters: s
-- purpose: the shape of a value: 9 a digit, A a capital, a another letter, words of more letters as Aaaa, aaa or AAAA, white space and marks as they are; more than 32 characters are …
-- nulls: null stays null
-- also: value_pattern, data_pattern
-- example: value_mask('2024-03-05') => '9999-99-99'
-- example: value_mask('$1,250.50') => '$9,999.99'
-- example: value_mask('London 24') => 'Aaaa 99'
-- example: value_mask('WAREHOUSE-7 ok') => 'AAAA-9 aa'
-- example: value_mask('McDonald') => 'AaAaaa'
-- example: value_mask(repeat('long text ', 9)) => '…'
CASE
    WHEN length(s) > 32 THEN '…'
    WHEN NOT regexp_matches(s, '\p{L}') THEN translate(s, '012345678', '999999999')
    WHEN strlen(s) = length(s) THEN regexp_replace(regexp_replace(regexp_replace(regexp_replace(
        translate(s, '012345678', '999999999'),
        '[a-z]{3,}', 'aaa', 'g'), '[b-z]', 'a', 'g'), '[A-Z]{4,}', 'AAAA', 'g'), '[B-Z]', 'A', 'g')
    ELSE regexp_replace(regexp_replace(regexp_replace(regexp_replace(
        translate(s, '012345678', '999999999'),
        '[\p{Ll}\p{Lt}\p{Lm}\p{Lo}]{3,}', 'aaa', 'g'), '[\p{Ll}\p{Lt}\p{Lm}\p{Lo}]', 'a', 'g'),
        '\p{Lu}{4,}', 'AAAA', 'g'), '\p{Lu}', 'A', 'g')
END
