-- name: is_ean
-- topic: codes
-- parameters: s
-- purpose: whether a number is a GTIN (EAN-8, UPC-A, EAN-13, GTIN-14) whose check digit fits
-- nulls: null stays null; anything else is false
-- also: upc_valid, gtin, barcode
-- example: is_ean('4006381333931') => true
-- example: is_ean('4006381333932') => false
-- example: is_ean('036000291452') => true
-- example: is_ean('') => false
-- example: is_ean(NULL) => NULL
CASE
    WHEN s IS NULL THEN NULL
    WHEN NOT regexp_full_match(code_core(s), '[0-9]{8}|[0-9]{12,14}') THEN false
    ELSE list_sum(list_transform(
        range(1, length(code_core(s)) + 1),
        lambda place_: CASE place_ % 2 WHEN 1 THEN 1 ELSE 3 END * substr(code_core(s), -place_, 1)::INTEGER
    )) % 10 = 0
END
