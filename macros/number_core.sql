-- name: number_core
-- topic: parts
-- parameters: s
-- purpose: the text of a number without currency and percent signs, a plain minus in front where it is negative, blanks for thin spaces and apostrophes between digits
-- nulls: null stays null
-- example: number_core('(€ 1’234)') => '-1 234'
-- example: number_core('US$5-') => '-5'
-- example: number_core('- $3') => '-3'
-- example: number_core('abc') => 'abc'
regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    lower(squeeze_space(translate(s::VARCHAR, '−–＋’''', '--+  '))),
    '^([-+(]*) ?(?:[a-z]{0,3}\p{Sc}|usd|eur|gbp|jpy|cny|inr|chf|cad|aud|nzd|sek|nok|dkk|pln|czk|huf|brl|mxn|zar|sgd|hkd|krw|try|rs[.]?|kr[.]?) ?', '\1'),
    ' ?(?:\p{Sc}|%|usd|eur|gbp|jpy|cny|inr|chf|cad|aud|nzd|sek|nok|dkk|pln|czk|huf|brl|mxn|zar|sgd|hkd|krw|try|kr[.]?|zł) ?([-)]?)$', '\1'),
    '^[(] ?(.*?) ?[)]$|^(.*?) ?-$', '-\1\2'),
    '^([-+]) ', '\1')
