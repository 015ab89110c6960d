-- name: closest
-- topic: matching
-- parameters: s, candidates, at_least := 0.85
-- purpose: the candidate most like the text by name_similarity, the earlier of two that are equally like, if they are alike at least so much
-- nulls: null where none is
-- also: difflib.get_close_matches, process.extractOne, fuzzy_match
-- example: closest('Nothern', ['North', 'Northern', 'South']) => 'Northern'
-- example: closest('xyz', ['North', 'South']) => NULL
-- example: closest('NORTH', ['South', 'North']) => 'North'
-- example: closest(NULL, ['North']) => NULL
CASE WHEN list_max(list_transform(candidates, lambda candidate_: name_similarity(s, candidate_))) >= at_least
THEN list_extract(candidates, list_position(
    list_transform(candidates, lambda candidate_: name_similarity(s, candidate_)),
    list_max(list_transform(candidates, lambda candidate_: name_similarity(s, candidate_)))
)) END
