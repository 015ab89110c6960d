-- name: is_luhn
-- topic: codes
-- parameters: s
-- purpose: whether the check digit of a number fits, by Luhn: payment cards, IMEI; blanks and hyphens play no part
-- nulls: null stays null; what is no number of at least 2 digits is false
-- also: luhn_valid, credit_card_valid
-- example: is_luhn('4539 1488 0343 6467') => true
-- example: is_luhn('4539 1488 0343 6468') => false
-- example: is_luhn('x') => false
-- example: is_luhn(NULL) => NULL
CASE
    WHEN s IS NULL THEN NULL
    WHEN NOT regexp_full_match(code_core(s), '[0-9]{2,40}') THEN false
    ELSE list_sum(list_transform(
        range(1, length(code_core(s)) + 1),
        lambda place_: CASE place_ % 2 WHEN 1 THEN substr(code_core(s), -place_, 1) ELSE translate(substr(code_core(s), -place_, 1), '0123456789', '0246813579') END::INTEGER
    )) % 10 = 0
END
