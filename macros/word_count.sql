-- name: word_count
-- topic: text
-- parameters: s
-- purpose: how many words there are, parted by white space
-- nulls: null stays null; a text of nothing has 0
-- also: str.split.len, count_words
-- example: word_count(' one  two ') => 2
-- example: word_count('') => 0
-- example: word_count(NULL) => NULL
CASE
    WHEN squeeze_space(s) = '' THEN 0
    ELSE length(squeeze_space(s)) - length(replace(squeeze_space(s), ' ', '')) + 1
END
