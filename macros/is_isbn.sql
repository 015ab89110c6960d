-- name: is_isbn
-- topic: codes
-- parameters: s
-- purpose: whether a text is an ISBN of 10 or 13 digits whose check digit fits
-- nulls: null stays null; anything else is false
-- also: isbn_valid
-- example: is_isbn('0-306-40615-2') => true
-- example: is_isbn('978-0-306-40615-7') => true
-- example: is_isbn('080442957X') => true
-- example: is_isbn('978-0-306-40615-8') => false
-- example: is_isbn(NULL) => NULL
CASE
    WHEN s IS NULL THEN NULL
    WHEN regexp_full_match(code_core(s), '97[89][0-9]{10}') THEN is_ean(s)
    WHEN regexp_full_match(code_core(s), '[0-9]{9}[0-9X]') THEN list_sum(list_transform(
        range(1, 11),
        lambda place_: place_ * CASE substr(code_core(s), -place_, 1) WHEN 'X' THEN 10 ELSE try_cast(substr(code_core(s), -place_, 1) AS INTEGER) END
    )) % 11 = 0
    ELSE false
END
