-- name: norm_text_exact
-- parameters: s
-- purpose: a text as it is compared: trimmed, one pair of equal outer quotes dropped, null words null
-- nulls: null stays null
-- example: norm_text_exact('  Ann  Lee ') => 'Ann  Lee'
-- example: norm_text_exact('"a "') => 'a '
-- example: norm_text_exact('''x''') => 'x'
-- example: norm_text_exact('"') => '"'
-- example: norm_text_exact('"NA"') => NULL
-- example: norm_text_exact('null') => NULL
CASE
    -- nothing to trim, no quote and no null word: most cells
    WHEN regexp_full_match(s, '[(-~][ -~]{3,}[(-~]') THEN s
    WHEN is_null_word(unquote_once(s)) THEN NULL
    ELSE unquote_once(s)
END
