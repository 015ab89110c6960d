-- name: drop_punctuation
-- topic: text
-- parameters: s
-- purpose: the text without punctuation and symbols, white space squeezed
-- nulls: null stays null
-- also: remove_punctuation, string.punctuation, strip_punctuation
-- example: drop_punctuation('Hello, «world»! 5€') => 'Hello world 5'
-- example: drop_punctuation('a-b') => 'ab'
-- example: drop_punctuation('...') => ''
squeeze_space(regexp_replace(s, '[\p{P}\p{S}]', '', 'g'))
