-- name: parse_magnitude
-- topic: numbers
-- parameters: s, decimal_sign := '.'
-- purpose: a number with a letter or word for its size: k, thousand, thsd, m, mn, mil, million, b, bn, bill, billion, t, tn, trillion, lakh, crore
-- nulls: null where it is no such number
-- also: human_to_number, parse_suffix
-- example: parse_magnitude('$1.2k') => 1200
-- example: parse_magnitude('3 Mn') => 3000000
-- example: parse_magnitude('950') => 950
-- example: parse_magnitude('2.5 mil. €') => 2500000
-- example: parse_magnitude('(3k)') => -3000
-- example: parse_magnitude('₹3 lakh') => 300000
-- example: parse_magnitude('2 kg') => NULL
parse_number(regexp_replace(strip_space(s::VARCHAR), '(?i)(?:k|thousand|thsd|m|mn|mill?|million|b|bn|bill|billion|t|tn|trillion|lakh|crore)[.]?( ?(?:\p{Sc}|usd|eur|gbp|chf))?([)]?)$', '\1\2'), decimal_sign)
* CASE regexp_extract(lower(strip_space(s::VARCHAR)), '[0-9.) ](k|th|m|b|t|lakh|crore)[a-z]*[.]?(?: ?(?:\p{Sc}|usd|eur|gbp|chf))?[)]?$', 1)
    WHEN 'k' THEN 1e3 WHEN 'th' THEN 1e3
    WHEN 'm' THEN 1e6
    WHEN 'b' THEN 1e9
    WHEN 't' THEN 1e12
    WHEN 'lakh' THEN 1e5
    WHEN 'crore' THEN 1e7
    ELSE 1 END
