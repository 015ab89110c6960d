-- name: closest
-- topic: matching
-- parameters: s, candidates, at_least := 0.85
-- purpose: the candidate most like the text by name_similarity, the earlier of two that are equally like, if they are alike at least so much
-- nulls: null where none is
-- also: difflib.get_close_matches, process.extractOne, fuzzy_match
-- example: closest('Nothern', ['North', 'Northern', 'South']) => 'Northern'
-- example: closest('xyz', ['North', 'South']) => NULL
-- example: closest('NORTH', ['South', 'North', 'north']) => 'North'
-- example: closest('North', []) => NULL
-- example: closest(NULL, ['North']) => NULL
list_extract(list_transform(
    [list_max(list_transform([match_key(s)], lambda folded_: list_transform(
        candidates, lambda candidate_, place_: {
            'score': coalesce(jaro_winkler_similarity(folded_, match_key(candidate_)), -1), 'before': -place_, 'candidate': candidate_
        }
    ))[1])],
    lambda best_: CASE WHEN best_.score >= at_least THEN best_.candidate END
), 1)
