-- name: may_be_number
-- topic: parts
-- parameters: s
-- purpose: whether a text in small letters has a number at the front, after signs or a currency, with little behind it
-- nulls: null stays null
-- example: may_be_number('$5 million') => true
-- example: may_be_number('1 (4x)') => true
-- example: may_be_number('5 of 7') => false
length(s) <= 45 AND regexp_full_match(s, '[^0-9a-z]?[^0-9a-z]?[^0-9a-z]?(?:[a-z]?[a-z]?[a-z]?\p{Sc}|usd|eur|gbp|jpy|cny|inr|chf|cad|aud|nzd|sek|nok|dkk|pln|rs[.]?|kr[.]?)?[^0-9a-z]*(?:[0-9][0-9.,’'' ]*|[½¼¾⅓⅔])(?:[^0-9]*[23]?|[^0-9()\[\]]*[(\[][^()\[\]]+[)\]])')
