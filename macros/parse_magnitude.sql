-- name: parse_magnitude
-- topic: numbers
-- parameters: s, decimal_sign := '.'
-- purpose: a number with a letter or word for its size: k, thousand, m, mn, million, b, bn, billion, t, trillion
-- nulls: null where it is no such number
-- also: human_to_number, parse_suffix
-- example: parse_magnitude('$1.2k') => 1200
-- example: parse_magnitude('3 Mn') => 3000000
-- example: parse_magnitude('950') => 950
-- example: parse_magnitude('2 kg') => NULL
parse_number(regexp_replace(strip_space(s::VARCHAR), '(?i)(?:k|thousand|mn?|million|bn?|billion|t|trillion)$', ''), decimal_sign)
* CASE left(regexp_extract(lower(strip_space(s::VARCHAR)), '[0-9.) ](k|th|mn?$|mi|bn?$|bi|t)[a-z]*$', 1), 2)
    WHEN 'k' THEN 1e3 WHEN 'th' THEN 1e3
    WHEN 'm' THEN 1e6 WHEN 'mn' THEN 1e6 WHEN 'mi' THEN 1e6
    WHEN 'b' THEN 1e9 WHEN 'bn' THEN 1e9 WHEN 'bi' THEN 1e9
    WHEN 't' THEN 1e12
    ELSE 1 END
