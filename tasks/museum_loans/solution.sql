-- 1. Columns by name, and what is meant by position filled in: the exhibition from the section line above,
--    the borrower through the ditto marks. Section lines have no object number, note lines no loan.
CREATE TEMP TABLE register AS
WITH named AS (
    SELECT r.rowid AS line, r.*
    FROM raw_input_01 AS r(loan, number, borrower, sent, due, returned, insured, estimate, note)
),
filled AS (
    SELECT
        * REPLACE (
            last_value(CASE WHEN borrower NOT IN ('', 'ditto', '"') THEN borrower END IGNORE NULLS)
                OVER (ORDER BY line) AS borrower
        ),
        last_value(CASE WHEN loan <> '' AND number = '' THEN loan END IGNORE NULLS)
            OVER (ORDER BY line) AS exhibition,
        borrower NOT IN ('', 'ditto', '"') AS spelled_out
    FROM named
)
SELECT *
FROM filled
WHERE number <> '';

-- 2. One spelling a borrower: the commonest among those that agree but for case, accents, blanks and punctuation.
CREATE TEMP TABLE spellings AS
SELECT
    regexp_replace(lower(strip_accents(borrower)), '[^a-z]', '', 'g') AS folded,
    mode(borrower) AS borrower
FROM register
WHERE spelled_out
GROUP BY folded;

-- 3. Dates as dates, the value in pounds.
CREATE TEMP TABLE loans AS
WITH valued AS (
    SELECT *, insured AS value_text
    FROM register
)
SELECT
    loan,
    number,
    exhibition,
    spellings.borrower,
    CAST(try_strptime(due, ['%Y-%m-%d', '%d.%m.%Y', '%d %b %Y']) AS DATE) AS due,
    CAST(try_strptime(returned, ['%Y-%m-%d', '%d.%m.%Y', '%d %b %Y']) AS DATE) AS returned,
    try_cast(replace(regexp_extract(value_text, '[0-9][0-9.,]*'), ',', '') AS DOUBLE)
        * CASE right(value_text, 1) WHEN 'k' THEN 1e3 WHEN 'm' THEN 1e6 ELSE 1 END
        * CASE WHEN value_text LIKE '€%' THEN 0.85 ELSE 1 END AS pounds
FROM valued
JOIN spellings
  ON regexp_replace(lower(strip_accents(valued.borrower)), '[^a-z]', '', 'g') = spellings.folded;

-- 4. Long overdue on the day of the printout.
CREATE TEMP TABLE overdue AS
SELECT *, DATE '2024-06-30' - due AS days_overdue
FROM loans
WHERE returned IS NULL
  AND DATE '2024-06-30' - due > 60;

-- 5. What the objects are, from the catalogue, and how they travel.
CREATE TEMP TABLE journeys AS
SELECT
    overdue.*,
    catalogue.title,
    CASE
        WHEN pounds IS NULL THEN 'courier'
        WHEN pounds > 100000 THEN 'courier'
        WHEN lower(trim(catalogue.material)) IN ('glass', 'ceramic') THEN 'art van'
        ELSE 'parcel'
    END AS transport
FROM overdue
JOIN raw_input_02 AS catalogue ON overdue.number = catalogue."former number";

-- 6. The list to write letters from.
CREATE TABLE output_01 AS
SELECT
    loan AS "Loan",
    exhibition AS "Exhibition",
    borrower AS "Borrower",
    title AS "Title",
    days_overdue AS "Days overdue",
    CAST(round(pounds) AS BIGINT) AS "Value GBP",
    transport AS "Transport"
FROM journeys
ORDER BY days_overdue DESC, loan;
