-- name: null_word_of
-- topic: parts
-- parameters: s
-- purpose: is_null_word of a text that is in small letters and has no white space around it
-- nulls: null is no word
-- example: null_word_of('n/a') => true
-- example: null_word_of('nonesuch') => false
coalesce(regexp_full_match(s, '[(\[<]?(?:n/?a|n[.]a[.]?|nan|nat|null|none|nil|unknown|unk|undefined|missing|blank|empty|tb[acd]|to be (?:confirmed|announced|advised|determined)|(?:not|no) (?:held|provided|available|applicable|known|given|stated|specified|recorded|entered|set|reported|disclosed|assigned|collected|measured|answered?|data|values?|response|information|info|entry|record)|#(?:n/a|value!|ref!|div/0!|name[?]|num!|null!))[)\]>]?|[-–—_−]{1,5}|[?]{1,3}|[.]{1,3}|[*]'), false)
