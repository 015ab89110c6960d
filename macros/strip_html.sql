-- name: strip_html
-- topic: text
-- parameters: s
-- purpose: the text of a piece of HTML: tags, comments, scripts and styles gone, the common entities as characters, white space squeezed
-- nulls: null stays null
-- also: html_strip, html_strip_tags, BeautifulSoup.get_text
-- example: strip_html('<p>Fish &amp; <b>chips</b><br/>5&nbsp;&lt; 6</p>') => 'Fish & chips 5 < 6'
-- example: strip_html('<style>p {}</style>a<!-- x > y -->b') => 'a b'
-- example: strip_html('a < b') => 'a < b'
-- example: strip_html('&amp;lt;') => '&lt;'
-- example: strip_html(NULL) => NULL
squeeze_space(replace(replace(replace(replace(replace(
    regexp_replace(regexp_replace(
        regexp_replace(s, '(?is)<script\b.*?</script\s*>|<style\b.*?</style\s*>|<!--.*?-->|</?(?:p|br|div|li|ul|ol|tr|td|th|table|h[1-6]|hr)\b[^>]*>', ' ', 'g'),
        '</?[A-Za-z!][^>]*>', '', 'g'),
    '&(?:nbsp|#160|#xa0);', ' ', 'gi'),
    '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&amp;', '&'))
