-- name: date_form_of
-- topic: parts
-- parameters: s
-- purpose: cell_date_form of what date_skeleton gives
-- nulls: null where it is none
-- example: date_form_of('n/n/yy') => 'date n/n/yy'
-- example: date_form_of('n.n/yy') => NULL
-- example: date_form_of('n n') => NULL
-- example: date_form_of(NULL) => NULL
CASE coalesce(regexp_extract(s, '^(?:(?:Day[ ,._-]+)?(?:yyyy[-/._ ]n[-/._ ]n|(?:n-n-|n/n/|n[.]n[.]|n_n_|n n )yy(?:yy)?|(?:the )?(?:n|nth)[ ,._/-]*(?:of )?Mon(?:[ ,._/''-]*yy(?:yy)?)?|Mon[ ,._/-]*(?:n|nth)(?:[ ,._/''-]+yy(?:yy)?)|Mon[ ,._/-]*nth|yyyy[ ,._/-]*Mon[ ,._/-]*(?:n|nth)|Mon[ ,._-]+(?:n|nth)[ ,._-]+time[ ,._-]+yyyy)|Day[ ,._-]+(?:n|nth)[ ,._-]+yyyy)(?:[ ,._-]+Day)?([ ,]+time(?: zone)?)?$|^(Mon[ ,._/''-]*(?:yyyy|yy)|yyyy[ ,._/-]+Mon|yyyy[-/]n|n/yyyy)$', 0), '')
    WHEN '' THEN NULL
    ELSE concat(
        CASE WHEN contains(s, 'time') THEN 'timestamp '
        WHEN regexp_matches(s, '^(?:Mon[ ,._/''-]*(?:yyyy|yy)|yyyy[ ,._/-]+Mon|yyyy[-/]n|n/yyyy)$') THEN 'month '
        ELSE 'date ' END,
        s)
END
