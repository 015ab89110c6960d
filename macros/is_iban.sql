-- name: is_iban
-- topic: codes
-- parameters: s
-- purpose: whether a text is an IBAN whose check digits fit (mod 97); the length that each country has is not checked
-- nulls: null stays null; anything else is false
-- also: iban_valid
-- example: is_iban('GB82 WEST 1234 5698 7654 32') => true
-- example: is_iban('gb82west12345698765432') => true
-- example: is_iban('GB83 WEST 1234 5698 7654 32') => false
-- example: is_iban('') => false
-- example: is_iban(NULL) => NULL
CASE
    WHEN s IS NULL THEN NULL
    WHEN NOT regexp_full_match(code_core(s), '[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}') THEN false
    ELSE list_reduce(
        list_transform(
            string_split(substr(code_core(s), 5) || left(code_core(s), 4), ''),
            lambda sign_: (strpos('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', sign_) - 1)::BIGINT
        ),
        lambda rest_, next_: (rest_ * CASE WHEN next_ > 9 THEN 100 ELSE 10 END + next_) % 97
    ) = 1
END
