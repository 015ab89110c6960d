-- name: word_similarity
-- topic: matching
-- parameters: a, b
-- purpose: the share of words that two texts have in common, 0 to 1, whatever their order
-- nulls: null where either has no letter or digit
-- also: jaccard_words, fuzz.token_set_ratio, token_overlap
-- example: word_similarity('King, Ada', 'ada KING') => 1
-- example: word_similarity('red apple pie', 'apple pie') = 2 / 3 => true
-- example: word_similarity('', 'a') => NULL
len(list_intersect(string_split(match_key(a), ' '), string_split(match_key(b), ' ')))
/ len(list_distinct(list_concat(string_split(match_key(a), ' '), string_split(match_key(b), ' '))))::DOUBLE
