-- name: number_form_of
-- topic: parts
-- parameters: s
-- purpose: cell_number_form of a text that is in small letters and has no spare white space
-- nulls: null where the text is no dressed number
-- example: number_form_of('1,021') => 'thousands'
-- example: number_form_of('0,110') => 'comma decimal'
-- example: number_form_of('1,250.00-') => 'parentheses'
-- example: number_form_of('12') => NULL
CASE
    WHEN regexp_full_match(s, '[-+(*]*(?:(?:[a-z]?[a-z]?[a-z]?\p{Sc}|usd|eur|gbp|jpy|cny|inr|chf|cad|aud|nzd|sek|nok|dkk|pln|rs[.]?|kr[.]?) ?)?[-+−–]?[0-9][0-9.,]*[0-9]? ?(?:k|m|b|t|mn|bn|tn|mm|mil|mill|bill|thousand|million|billion|trillion|thsd|lakh|crore)[.]?(?: ?(?:\p{Sc}|usd|eur|gbp|chf))?[)*]*')
        AND NOT regexp_full_match(s, '[-+]?[0-9][0-9.,]* ?(?:mm|t|m)')
        THEN 'scale'
    WHEN regexp_full_match(s, '[-+(−–]*(?:[a-z]?[a-z]?[a-z]?\p{Sc}|usd|eur|gbp|jpy|cny|inr|chf|cad|aud|nzd|sek|nok|dkk|pln|rs[.]?|kr[.]?) ?[-+−–]?(?:[0-9][0-9., ’'']*[.,]?-?|[.][0-9]+)[)-]?|[-+(−–]*[0-9][0-9., ’'']*-? ?(?:\p{Sc}|usd|eur|gbp|jpy|cny|inr|chf|cad|aud|nzd|sek|nok|dkk|pln|kr[.]?|zł)[)-]?')
        THEN 'currency'
    WHEN regexp_full_match(s, '[-+−–(]*(?:[0-9][0-9.,]*|[.][0-9]+) ?[%‰]\)?') THEN 'percent'
    WHEN regexp_full_match(s, '[-+]?[1-9][0-9]{0,2}(?:(?:,[0-9]{2,3})*,[0-9]{3}|(?:[ ’''\x{a0}\x{202f}][0-9]{3})+)(?:[.][0-9]+)?') THEN 'thousands'
    WHEN regexp_full_match(s, '[-+]?(?:[0-9]*,[0-9]+|[0-9]{1,3}(?:[. ][0-9]{3})+,[0-9]+|[0-9]{1,3}(?:[.][0-9]{3}){2,})') THEN 'comma decimal'
    WHEN regexp_full_match(s, '[0-9]+(?:st|nd|rd|th)') THEN 'ordinal'
    WHEN regexp_full_match(s, '\([-+]?[0-9][0-9.,]*\)|[0-9][0-9.,]*-') THEN 'parentheses'
    WHEN regexp_full_match(s, '[−–] ?[0-9][0-9.,]*') THEN 'minus sign'
    WHEN regexp_full_match(s, '(?:[<>≤≥~≈±=#]+ ?[-+]?[0-9][0-9.,]*|[-+]?[0-9][0-9.,]*(?: ?[*†‡§¹²³^+~!?]+|[½¼¾⅓⅔]))') THEN 'mark'
    WHEN regexp_full_match(s, '[-+]?[0-9][0-9.,]*[^0-9\s()\[\]]?(?: ?[a-z°%]?[a-z°%]?[a-z°%]?)? ?[(\[][^()\[\]]+[)\]]') THEN 'note'
    WHEN regexp_full_match(s, '[-+]?(?:[0-9][0-9.,]*|[.][0-9]+)(?: ?[\p{L}°"''′″µ][\p{L}°²³/%"''′″µ]*[23]?|-[\p{L}]+)') THEN 'unit'
    WHEN regexp_full_match(s, '[-+]?[0-9][0-9.,]*(?: [\p{L}-]+)+') THEN 'words'
END
