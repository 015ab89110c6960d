"""The queries for the facts of all columns: each gives its rows by `position`, the column's from 0."""

from __future__ import annotations

from string import Template

# how many shapes and frequent values a column keeps
SHAPES = 40
FREQUENT = 10

# a row a shape of a column, with all that is counted: the one pass over every cell
SHAPES_SQL = Template("""SELECT position, kind, form, mask, sum(n)::BIGINT AS cells, count(*) AS n_values,
  arg_min(value, first) AS example, min(first) AS first, min(value) AS minimum, max(value) AS maximum,
  min(size) AS shortest, max(size) AS longest, sum(size * n) AS characters,
  coalesce(sum(n) FILTER ($padded), 0) AS padded, coalesce(sum(n) FILTER ($doubled), 0) AS doubled,
  coalesce(sum(n) FILTER (CASE WHEN plain THEN false ELSE regexp_matches(value, '$invisible') END), 0) AS invisible,
  coalesce(sum(n) FILTER (NOT plain AND strlen(value) <> size), 0) AS non_ascii
FROM (
  SELECT *, length(value) AS size, $mask AS mask
  FROM $cells)
GROUP BY ALL""")
# white space at the ends of a value that has more; runs of it inside
PADDED = "CASE WHEN plain OR kind IN ('empty', 'blank') THEN false ELSE strip_space(value) <> value END"
DOUBLED = r"CASE WHEN plain THEN false ELSE regexp_matches(value, '[^\s\p{Z}][\s\p{Z}]{2,}[^\s\p{Z}]') END"
# controls, no-break and zero-width spaces, marks of direction, soft hyphens
INVISIBLE = (
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x{a0}\x{ad}\x{200b}-\x{200f}\x{2028}-\x{202f}"
    r"\x{2060}-\x{2064}\x{feff}]"
)

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

NULL_WORDS_SQL = Template("""SELECT position, value, sum(n)::BIGINT AS cells
FROM $cells
WHERE position IN ($positions) AND kind = 'null word'
GROUP BY position, value
ORDER BY position, cells DESC, min(first)""")

# a row a value that is a number, however dressed: read as its dressing says
NUMBERS_SQL = Template("""SELECT position, number, n
FROM (
  SELECT position, TRY_CAST(value AS DOUBLE) AS number, n FROM $cells WHERE position IN ($plain)
  UNION ALL
  SELECT position, CASE WHEN kind <> 'number' THEN TRY_CAST(tidy AS DOUBLE)
    WHEN form = 'scale' THEN coalesce(parse_magnitude(tidy), first_number(tidy))
    ELSE TRY_CAST(CASE
        WHEN form = 'comma decimal' OR regexp_matches(tidy, '[0-9],[0-9]{1,2}(?:[^0-9.,]|$$)')
          THEN replace(translate(digits, '.’'' ', ''), ',', '.')
        ELSE translate(digits, ',’'' ', '') END AS DOUBLE)
      * if(regexp_matches(tidy, '^[^0-9]*[-−–(]|[0-9]-$$'), -1, 1) END AS number, n
  FROM (SELECT *, regexp_extract(tidy, '[0-9][0-9.,’'' ]*|[.][0-9]+') AS digits FROM $cells)
  WHERE position IN ($dressed) AND kind IN ('integer', 'decimal', 'number'))
WHERE isfinite(number)""")

# a row a column of numbers; the sum of a few may be more than a DOUBLE holds
STATISTICS_SQL = Template("""SELECT position, count(*), min(number), $quantiles[1], $quantiles[2], $quantiles[3],
  max(number), if(isfinite(avg(number)), avg(number), avg(number * 1e-20) * 1e20)
FROM (SELECT position, number, unnest(range(n)) FROM $cells)
GROUP BY position ORDER BY position""")
QUANTILES = "quantile_cont(number, [0.25, 0.5, 0.75])"
APPROXIMATE = "approx_quantile(number, [0.25, 0.5, 0.75])"

# a row a sign or word beside the numbers of a column
SIGNS_SQL = Template("""SELECT position, kind_of_sign, sign, sum(n)::BIGINT AS cells
FROM (
  SELECT position, n, unnest([
      {'kind_of_sign': 'currency', 'sign': regexp_extract(value,
        '\\p{Sc}|(?i:usd|eur|gbp|jpy|cny|inr|chf|cad|aud|nzd|sek|nok|dkk|pln)')},
      {'kind_of_sign': 'unit', 'sign': regexp_extract(tidy,
        '[0-9.,½¼¾] ?([\\p{L}°%‰"''′″µ][\\p{L}°²³/%"''′″µ]*[23]?)$$', 1)},
      {'kind_of_sign': 'thousands', 'sign': regexp_extract(value,
        '[0-9]([,. ’''\\x{a0}\\x{202f}])[0-9]{3}(?:[^0-9]|$$)', 1)},
      {'kind_of_sign': 'decimal', 'sign': regexp_extract(value,
        '[0-9]([.,])(?:[0-9]{1,2}|[0-9]{4,})(?:[^0-9.,]|$$)', 1)}
    ], recursive := true)
  FROM (
    -- cells of a shape without letters have the same signs
    SELECT position, example AS value, lower(example) AS tidy, cells AS n FROM $shapes
    WHERE position IN ($positions) AND kind = 'number' AND NOT regexp_matches(mask, '[aA…]')
    UNION ALL
    SELECT position, value, tidy, n FROM $cells
    WHERE position IN ($lettered) AND kind = 'number' AND regexp_matches(tidy, '[\\p{L}]')))
WHERE sign <> ''
GROUP BY ALL
ORDER BY position, kind_of_sign, cells DESC, sign""")

# a row an order of day, month and year that fits some cells of a column
READINGS_SQL = Template("""WITH parts AS (
  SELECT position, value, n, first,
    CAST(part[1] AS INTEGER) AS a, CAST(part[2] AS INTEGER) AS b, CAST(part[3] AS INTEGER) AS c
  FROM (
    SELECT *, regexp_extract_all(tidy, '[0-9]+')[:3] AS part
    FROM $cells
    WHERE position IN ($positions) AND kind IN ('date', 'timestamp')
      AND regexp_matches(tidy, '^[0-9]{1,4}[^0-9a-z][0-9]{1,2}[^0-9a-z][0-9]{1,4}'))
), dated AS (
  SELECT *, TRY_CAST(concat(if(a < 69, 2000, if(a < 100, 1900, 0)) + a, '-', b, '-', c) AS DATE) AS ymd,
    if(a > 31, NULL, TRY_CAST(concat(if(c < 69, 2000, if(c < 100, 1900, 0)) + c, '-', b, '-', a) AS DATE)) AS dmy,
    if(a > 31, NULL, TRY_CAST(concat(if(c < 69, 2000, if(c < 100, 1900, 0)) + c, '-', a, '-', b) AS DATE)) AS mdy
  FROM parts
), readings AS (
  SELECT position, value, n, first, unnest(['dmy', 'mdy', 'ymd']) AS reading,
    unnest([dmy, mdy, if(dmy IS NULL AND mdy IS NULL, ymd, NULL)]) AS day,
    unnest([mdy IS NULL, dmy IS NULL, dmy IS NULL AND mdy IS NULL]) AS alone
  FROM dated
)
SELECT position, reading, sum(n)::BIGINT, coalesce(sum(n) FILTER (alone), 0)::BIGINT,
  arg_min(value, first) FILTER (alone), min(first) FILTER (alone), CAST(min(day) AS VARCHAR), CAST(max(day) AS VARCHAR)
FROM readings WHERE day IS NOT NULL
GROUP BY ALL ORDER BY position, sum(n) DESC, reading""")
