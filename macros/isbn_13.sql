-- name: isbn_13
-- topic: codes
-- parameters: s
-- purpose: an ISBN of either kind as 13 digits without hyphens
-- nulls: null where it is no ISBN with a fitting check digit
-- also: to_isbn13
-- example: isbn_13('0-306-40615-2') => '9780306406157'
-- example: isbn_13('978-0-306-40615-7') => '9780306406157'
-- example: isbn_13('0-306-40615-3') => NULL
CASE
    WHEN NOT is_isbn(s) THEN NULL
    WHEN length(code_core(s)) = 13 THEN code_core(s)
    ELSE '978' || left(code_core(s), 9) || ((10 - (38 + list_sum(list_transform(
        range(1, 10), lambda place_: CASE place_ % 2 WHEN 1 THEN 3 ELSE 1 END * substr(code_core(s), place_, 1)::INTEGER
    ))) % 10) % 10)::INTEGER
END
