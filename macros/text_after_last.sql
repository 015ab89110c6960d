-- name: text_after_last
-- topic: text
-- parameters: s, mark
-- purpose: what stands after the last mark
-- nulls: null where the mark is absent
-- also: str.rpartition, file_extension
-- example: text_after_last('report.final.csv', '.') => 'csv'
-- example: text_after_last('report', '.') => NULL
-- example: text_after_last('a/b/', '/') => ''
CASE WHEN strpos(s, mark) > 0 THEN split_part(s, mark, -1) END
