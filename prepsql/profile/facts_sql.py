"""The queries for the facts of all columns: each gives its rows by `position`, the column's from 0."""

from __future__ import annotations

from string import Template

# how many shapes and frequent values a column keeps
SHAPES = 40
FREQUENT = 10

# a row a shape of a column, with all that is counted: the one pass over every cell
SHAPES_SQL = Template("""SELECT position, kind, form, mask, sum(n)::BIGINT AS cells, count(*) AS n_values,
  arg_min(value, first) AS example, min(first) AS first,
  min(value) AS minimum, max(value) AS maximum, min(size) AS shortest, max(size) AS longest, sum(size * n) AS characters,
  coalesce(sum(n) FILTER (NOT plain AND kind NOT IN ('empty', 'blank') AND strip_space(value) <> value), 0) AS padded,
  coalesce(sum(n) FILTER (NOT plain AND regexp_matches(value, '[^\\s\\p{Z}][\\s\\p{Z}]{2,}[^\\s\\p{Z}]')), 0) AS doubled,
  coalesce(sum(n) FILTER (NOT plain AND regexp_matches(value, '$invisible')), 0) AS invisible,
  coalesce(sum(n) FILTER (NOT plain AND regexp_matches(value, '[^\\x00-\\x7f]')), 0) AS non_ascii
FROM (
  SELECT *, value_mask(value) AS mask, length(value) AS size,
    regexp_full_match(value, '[!-~]+(?: [!-~]+)*') AS plain
  FROM $cells)
GROUP BY ALL""")
INVISIBLE = "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x{a0}\\x{ad}\\x{200b}-\\x{200f}\\x{2028}-\\x{202f}\\x{2060}-\\x{2064}\\x{feff}]"

# of one column the most frequent shapes, and the first of every kind and form
KEPT_SQL = Template("""SELECT position, kind, form, mask, cells, n_values, example, first
FROM $cells
QUALIFY row_number() OVER (PARTITION BY position ORDER BY cells DESC, first) <= $kept
  OR row_number() OVER (PARTITION BY position, kind, form ORDER BY cells DESC, first) <= 2
ORDER BY position, cells DESC, first""")

KINDS_SQL = Template("""SELECT position, kind, sum(cells)::BIGINT, sum(n_values)::BIGINT
FROM $cells
GROUP BY ALL ORDER BY ALL""")

# a row a column, over filled cells
COUNTS_SQL = Template("""SELECT position, min(minimum), max(maximum), min(shortest), max(longest),
  sum(characters) / sum(cells), sum(padded)::BIGINT, sum(doubled)::BIGINT, sum(invisible)::BIGINT,
  sum(non_ascii)::BIGINT
FROM $cells
WHERE kind <> 'empty'
GROUP BY position ORDER BY position""")

# a row a frequent value; only what is grouped has any
FREQUENT_SQL = Template("""SELECT position, value, n
FROM $cells
WHERE kind NOT IN ('empty', 'blank', 'null word') AND n > 1
QUALIFY row_number() OVER (PARTITION BY position ORDER BY n DESC, first) <= $kept
ORDER BY position, n DESC, first""")

NULL_WORDS_SQL = Template("""SELECT position, value, sum(n)::BIGINT AS cells, min(first)
FROM $cells
WHERE kind = 'null word'
GROUP BY position, value
ORDER BY position, cells DESC, min(first)""")

# a row a column of numbers; a number is read as its dressing says
NUMBERS_SQL = Template("""WITH numbers AS (
  SELECT position, number, sum(n) OVER (PARTITION BY position ORDER BY number ROWS UNBOUNDED PRECEDING) AS upto,
    sum(n) OVER (PARTITION BY position) AS total, n
  FROM (
    SELECT position, n, TRY_CAST(value AS DOUBLE) AS number FROM $cells WHERE position IN ($plain)
    UNION ALL
    SELECT position, n, CASE WHEN kind <> 'number' THEN TRY_CAST(tidy AS DOUBLE)
      WHEN form = 'scale' THEN coalesce(parse_magnitude(tidy), first_number(tidy))
      WHEN form = 'comma decimal' THEN parse_number(tidy, ',')
      ELSE coalesce(parse_number(tidy), first_number(tidy)) END
    FROM $cells WHERE position IN ($positions) AND kind IN ('integer', 'decimal', 'number'))
  WHERE isfinite(number)
)
SELECT position, any_value(total)::BIGINT, min(number), $quantiles, max(number), sum(number * (n / total))
FROM numbers
GROUP BY position ORDER BY position""")
QUANTILE = Template("""min(number) FILTER (upto > floor($q * (total - 1)))
  + (min(number) FILTER (upto > ceil($q * (total - 1))) - min(number) FILTER (upto > floor($q * (total - 1))))
  * any_value($q * (total - 1) - floor($q * (total - 1)))""")

# a row a sign or word beside the numbers of a column
SIGNS_SQL = Template("""SELECT position, kind_of_sign, sign, sum(n)::BIGINT AS cells
FROM (
  SELECT position, n, unnest([
      {'kind_of_sign': 'currency', 'sign': regexp_extract(value, '\\p{Sc}|(?i:usd|eur|gbp|jpy|cny|inr|chf|cad|aud|nzd|sek|nok|dkk|pln)')},
      {'kind_of_sign': 'unit', 'sign': regexp_extract(tidy, '[0-9.,½¼¾] ?([\\p{L}°%‰"''′″µ][\\p{L}°²³/%"''′″µ]*[23]?)$$', 1)},
      {'kind_of_sign': 'thousands', 'sign': regexp_extract(value, '[0-9]([,. ’''\\x{a0}\\x{202f}])[0-9]{3}(?:[^0-9]|$$)', 1)},
      {'kind_of_sign': 'decimal', 'sign': regexp_extract(value, '[0-9]([.,])(?:[0-9]{1,2}|[0-9]{4,})(?:[^0-9.,]|$$)', 1)}
    ], recursive := true)
  FROM $cells WHERE position IN ($positions) AND kind = 'number')
WHERE sign <> ''
GROUP BY ALL
ORDER BY position, kind_of_sign, cells DESC, sign""")

# a row an order of day, month and year that fits some cells of a column
READINGS_SQL = Template("""WITH parts AS (
  SELECT position, value, n, first, CAST(regexp_extract(tidy, '^([0-9]+)[^0-9]([0-9]+)[^0-9]([0-9]+)', 1) AS INTEGER) AS a,
    CAST(regexp_extract(tidy, '^([0-9]+)[^0-9]([0-9]+)[^0-9]([0-9]+)', 2) AS INTEGER) AS b,
    CAST(regexp_extract(tidy, '^([0-9]+)[^0-9]([0-9]+)[^0-9]([0-9]+)', 3) AS INTEGER) AS c
  FROM $cells
  WHERE position IN ($positions) AND kind IN ('date', 'timestamp')
    AND regexp_matches(tidy, '^[0-9]+[^0-9a-z][0-9]+[^0-9a-z][0-9]+')
), dated AS (
  SELECT *, TRY_CAST(concat(if(a < 69, 2000, if(a < 100, 1900, 0)) + a, '-', b, '-', c) AS DATE) AS ymd,
    if(a > 31, NULL, TRY_CAST(concat(if(c < 69, 2000, if(c < 100, 1900, 0)) + c, '-', b, '-', a) AS DATE)) AS dmy,
    if(a > 31, NULL, TRY_CAST(concat(if(c < 69, 2000, if(c < 100, 1900, 0)) + c, '-', a, '-', b) AS DATE)) AS mdy
  FROM parts
), readings AS (
  SELECT position, value, n, first, unnest(['dmy', 'mdy', 'ymd']) AS reading,
    unnest([dmy, mdy, if(a > 31 OR c > 31, if(a > 31, ymd, NULL), ymd)]) AS day,
    unnest([mdy IS NULL, dmy IS NULL, dmy IS NULL AND mdy IS NULL]) AS alone
  FROM dated
)
SELECT position, reading, sum(n)::BIGINT, coalesce(sum(n) FILTER (alone), 0)::BIGINT, arg_min(value, first) FILTER (alone),
  min(first) FILTER (alone), CAST(min(day) AS VARCHAR), CAST(max(day) AS VARCHAR)
FROM readings WHERE day IS NOT NULL
GROUP BY ALL ORDER BY position, sum(n) DESC, reading""")
