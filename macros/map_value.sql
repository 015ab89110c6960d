-- name: map_value
-- topic: categories
-- parameters: v, old, new
-- purpose: the entry of the list new that stands where v stands in the list old; v itself where it is not in old
-- nulls: null stays null, unless old holds it
-- also: Series.map, map_values, DECODE, SWITCH, recode, Series.replace, CHOOSE
-- example: map_value('N', ['N', 'S'], ['North', 'South']) => 'North'
-- example: map_value('E', ['N', 'S'], ['North', 'South']) => 'E'
-- example: map_value(NULL, ['N'], ['North']) => NULL
CASE WHEN list_contains(old, v) THEN list_extract(new, list_position(old, v)) ELSE v END
