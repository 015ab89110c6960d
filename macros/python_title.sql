-- name: python_title
-- topic: text
-- parameters: s
-- purpose: the text with a capital after every character that has no case, as Python's title()
-- nulls: null stays null
-- example: python_title('they''re ON') => 'They''Re On'
-- example: python_title('élan 3d') => 'Élan 3D'
-- example: python_title('日x 9y') => '日X 9Y'
-- example: python_title('') => ''
-- example: python_title(NULL) => NULL
array_to_string(
    list_transform(
        regexp_extract_all(s, '[\p{Lu}\p{Ll}\p{Lt}]+|[^\p{Lu}\p{Ll}\p{Lt}]+'),
        lambda part: upper(part[1]) || lower(part[2:])
    ),
    ''
)
