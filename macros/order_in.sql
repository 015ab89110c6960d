-- name: order_in
-- topic: categories
-- parameters: v, ordered
-- purpose: the place of a value in a list, counted from 1, to sort by; a value that is not in the list comes after all
-- nulls: null stays null
-- also: CategoricalDtype, FIELD, custom_sort, MATCH, list_position
-- example: order_in('mid', ['low', 'mid', 'high']) => 2
-- example: order_in('other', ['low', 'mid', 'high']) => 4
-- example: order_in(NULL, ['low']) => NULL
CASE WHEN v IS NOT NULL THEN coalesce(list_position(ordered, v), len(ordered) + 1) END
