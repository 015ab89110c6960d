-- name: title_case
-- topic: text
-- parameters: s
-- purpose: every word with a capital and the rest small; an apostrophe joins (It's) but for a name's first letter (O'Neil)
-- nulls: null stays null
-- also: initcap, str.title, PROPER, capitalize_words
-- example: title_case('JEAN-LUC o''neil') => 'Jean-Luc O''Neil'
-- example: title_case('it''s émile''s 1st (draft)') => 'It''s Émile''s 1st (Draft)'
-- example: title_case('i''m  ok') => 'I''m  Ok'
-- example: title_case('') => ''
-- example: title_case(NULL) => NULL
array_to_string(list_transform(
    regexp_extract_all(
        s,
        '\p{L}[''’]\p{L}{1,2}\b|\p{L}[''’]|[\p{L}\p{M}\p{N}]+(?:[''’][\p{L}\p{M}\p{N}]+)*|[^\p{L}\p{M}\p{N}]+'
    ),
    lambda word_: upper(left(word_, 1)) || lower(substr(word_, 2))
), '')
