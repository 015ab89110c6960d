-- name: norm_text_exact
-- topic: comparing
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
    -- no white space or quote at the ends, and longer than a null word: most cells
    WHEN regexp_full_match(s, '[(-~][ -~]{3,}[(-~]') THEN s
    ELSE null_word_to_null(unquote_once(strip_space(s)))
END
