-- name: roman_to_int
-- topic: numbers
-- parameters: s
-- purpose: a Roman numeral, in capitals or small letters, as a number from 1 to 3999
-- nulls: null where it is none in proper form
-- also: ARABIC, from_roman
-- example: roman_to_int('MCMXCIV') => 1994
-- example: roman_to_int(' iv ') => 4
-- example: roman_to_int('IIII') => NULL
-- example: roman_to_int('') => NULL
CASE WHEN regexp_full_match(upper(strip_space(s)), 'M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})') AND strip_space(s) <> '' THEN
    1000 * count_of(upper(s), 'M') + 500 * count_of(upper(s), 'D') + 100 * count_of(upper(s), 'C')
    + 50 * count_of(upper(s), 'L') + 10 * count_of(upper(s), 'X') + 5 * count_of(upper(s), 'V') + count_of(upper(s), 'I')
    - 200 * count_of(regexp_replace(upper(s), 'C[DM]', '!'), '!') - 20 * count_of(regexp_replace(upper(s), 'X[LC]', '!'), '!')
    - 2 * count_of(regexp_replace(upper(s), 'I[VX]', '!'), '!')
END
