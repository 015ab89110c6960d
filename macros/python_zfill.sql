-- name: python_zfill
-- topic: text
-- parameters: s, width
-- purpose: the text filled with zeros on the left to a width, after its sign if it has one, as Python's zfill()
-- nulls: null stays null
-- example: python_zfill('42', 5) => '00042'
-- example: python_zfill('-42', 5) => '-0042'
-- example: python_zfill('123456', 5) => '123456'
-- example: python_zfill('', 2) => '00'
-- example: python_zfill(NULL, 2) => NULL
CASE
    WHEN length(s) >= width THEN s
    WHEN left(s, 1) IN ('-', '+') THEN left(s, 1) || lpad(substr(s, 2), width - 1, '0')
    ELSE lpad(s, width, '0')
END
