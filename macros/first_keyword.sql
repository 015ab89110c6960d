-- name: first_keyword
-- topic: categories
-- parameters: s, keywords
-- purpose: the first of the keywords, in their own order, that stands in the text as whole words; case, accents and punctuation play no part
-- nulls: null where none does
-- also: str.contains, categorize, contains_any, LOOKUP
-- example: first_keyword('Deep-fried TOFU and rice', ['beef', 'tofu', 'rice']) => 'tofu'
-- example: first_keyword('the crème brûlée', ['Creme Brulee']) => 'Creme Brulee'
-- example: first_keyword('seafood', ['sea']) => NULL
-- example: first_keyword(NULL, ['a']) => NULL
list_extract(list_transform([' ' || match_key(s) || ' '], lambda folded_: list_extract(list_filter(
    keywords, lambda keyword_: strpos(folded_, ' ' || match_key(keyword_) || ' ') > 0
), 1)), 1)
