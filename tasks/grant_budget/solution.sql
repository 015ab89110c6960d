-- 1. Name the columns by position (the funder's has no header) and carry each department's heading down to its lines.
CREATE TABLE ledger AS
WITH named AS (
    SELECT t.rowid AS line, grant_no, purpose, funder, adopted, revised, spent
    FROM raw_input_01 AS t(grant_no, purpose, funder, adopted, revised, spent)
),
headings AS (
    SELECT
        *,
        CASE
            WHEN grant_no <> '' AND purpose = '' AND NOT regexp_matches(grant_no, '^(Note|\*)')
            THEN regexp_replace(grant_no, ' \(continued\)$', '')
        END AS heading
    FROM named
)
SELECT *, last_value(heading IGNORE NULLS) OVER (ORDER BY line) AS department
FROM headings;

-- 2. Keep the grant lines that the city pays itself, and read their amounts.
CREATE TABLE own_lines AS
SELECT
    department,
    grant_no,
    TRY_CAST(regexp_replace(adopted, '[^0-9.]', '', 'g') AS DECIMAL(14, 2)) AS adopted,
    TRY_CAST(regexp_replace(revised, '[^0-9.]', '', 'g') AS DECIMAL(14, 2)) AS revised,
    CASE WHEN regexp_matches(spent, '^\(|\d-$') THEN -1 ELSE 1 END
        * coalesce(TRY_CAST(regexp_replace(spent, '[^0-9.]', '', 'g') AS DECIMAL(14, 2)), 0) AS spent
FROM ledger
WHERE regexp_matches(grant_no, '^[A-Z]{2}-\d{3}(/\d)?$')
  AND lower(trim(funder)) = 'city';

-- 3. Sum up by department, the most used budget first.
CREATE TABLE output_01 AS
WITH budgets AS (
    SELECT *, coalesce(revised, adopted) AS budget
    FROM own_lines
),
departments AS (
    SELECT
        department,
        count(*) AS grants,
        sum(budget) AS budget,
        sum(spent) AS spent,
        round(100 * sum(spent) / sum(budget), 1) AS used
    FROM budgets
    GROUP BY department
)
SELECT
    department AS "Department",
    grants AS "Grants",
    budget AS "Budget",
    spent AS "Spent",
    budget - spent AS "Left",
    used AS "Used %",
    CASE WHEN used >= 90 THEN 'yes' ELSE 'no' END AS "Nearly used up"
FROM departments
ORDER BY used DESC, department;
