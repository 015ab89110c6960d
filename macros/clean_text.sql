-- name: clean_text
-- topic: text
-- parameters: s
-- purpose: the text as people see it: white space squeezed, invisible and control characters gone, letters composed (NFC)
-- nulls: null stays null; a text of nothing becomes empty, see missing_to_null
-- also: CLEAN, strip_control, nfc, unicodedata.normalize
-- example: clean_text(chr(65279) || ' Zoe' || chr(776) || chr(160) || chr(8203) || ' Lee' || chr(7)) => 'Zoë Lee'
-- example: clean_text('👩' || chr(8205) || '🚀') => '👩' || chr(8205) || '🚀'
-- example: clean_text(E' \t ') => ''
-- example: clean_text(NULL) => NULL
nfc_normalize(squeeze_space(regexp_replace(
    s::VARCHAR,
    '[\x00-\x08\x0e-\x1b\x7f-\x{84}\x{86}-\x{9f}\x{ad}\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2060}-\x{2064}\x{2066}-\x{2069}\x{feff}]+',
    '', 'g'
)))
