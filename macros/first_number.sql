-- name: first_number
-- topic: numbers
-- parameters: s
-- purpose: the first number in the text, with its sign where no letter or digit is before it, and its decimals after a point
-- nulls: null where there is none
-- also: extract_number
-- example: first_number('about -3.5 kg') => -3.5
-- example: first_number('A-12') => 12
-- example: first_number('1,250 m') => 1250
-- example: first_number('none') => NULL
try_cast(replace(regexp_replace(regexp_extract(
    s::VARCHAR, '(?:^|[^\p{L}\p{N}])-(?:[0-9]+(?:,[0-9]{3})*(?:[.][0-9]+)?|[.][0-9]+)|[0-9]+(?:,[0-9]{3})*(?:[.][0-9]+)?'
), '^[^-0-9.]', ''), ',', '') AS DOUBLE)
