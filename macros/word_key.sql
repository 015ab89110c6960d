-- name: word_key
-- topic: matching
-- parameters: s
-- purpose: a match key whose words are sorted and come once, so that their order plays no part
-- nulls: null where no letter or digit is left
-- also: fingerprint, token_sort, sorted_words
-- example: word_key('King, Ada') => 'ada king'
-- example: word_key('the The cat') => 'cat the'
-- example: word_key('--') => NULL
array_to_string(list_sort(list_distinct(string_split(match_key(s), ' '))), ' ')
