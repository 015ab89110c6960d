-- 1. The candidates' rows, with columns named by position: the header has "Physics T1" twice.
CREATE TABLE candidates AS
SELECT CAST(no AS INTEGER) AS candidate_no, * EXCLUDE (no)
FROM raw_input_01 AS t(
    no,
    maths_t1, maths_t2, maths_exam,
    physics_t1, physics_t2, physics_exam,
    chemistry_t1, chemistry_t2, chemistry_exam,
    history_t1, history_t2, history_exam
)
WHERE regexp_matches(no, '^\d+$');

-- 2. One row for each candidate, subject and test.
CREATE TABLE entries AS
SELECT
    candidate_no,
    CASE split_part(test, '_', 1)
        WHEN 'maths' THEN 'Maths'
        WHEN 'physics' THEN 'Physics'
        WHEN 'chemistry' THEN 'Chemistry'
        ELSE 'History'
    END AS subject,
    split_part(test, '_', 2) AS part,
    lower(trim(entry)) AS entry
FROM candidates
UNPIVOT (entry FOR test IN (COLUMNS(* EXCLUDE (candidate_no))));

-- 3. Scores out of 100; an entry without a score is not counted. The exam weighs twice.
CREATE TABLE scores AS
SELECT
    candidate_no,
    subject,
    CASE
        WHEN entry = 'abs' THEN 0
        WHEN entry LIKE '%/50' THEN 2 * CAST(split_part(entry, '/', 1) AS DOUBLE)
        ELSE TRY_CAST(replace(rtrim(entry, ' %'), ',', '.') AS DOUBLE)
    END AS score,
    CASE WHEN part = 'exam' THEN 2 ELSE 1 END AS weight
FROM entries;

-- 4. The mark of each current student in each subject taken, with the programme's name in one spelling.
CREATE TABLE output_01 AS
WITH marks AS (
    SELECT candidate_no, subject, round(sum(score * weight) / sum(weight), 3) AS mark
    FROM scores
    WHERE score IS NOT NULL
    GROUP BY candidate_no, subject
)
SELECT
    m.candidate_no AS "Candidate",
    CASE upper(left(trim(s.programme), 1))
        WHEN 'N' THEN 'Natural Sciences'
        WHEN 'E' THEN 'Engineering'
        WHEN 'H' THEN 'Humanities'
    END AS "Programme",
    m.subject AS "Subject",
    m.mark AS "Mark",
    CASE WHEN m.mark >= 50 THEN 'pass' ELSE 'fail' END AS "Result"
FROM marks AS m
JOIN input_02 AS s ON m.candidate_no = s."candidate no"
WHERE s.status IN ('enrolled', 'repeating')
ORDER BY "Candidate", "Subject";

-- 5. Programmes and subjects in figures.
CREATE TABLE output_02 AS
SELECT
    "Programme",
    "Subject",
    count(*) AS "Students",
    round(avg("Mark"), 1) AS "Average mark",
    round(100 * avg(CASE WHEN "Result" = 'pass' THEN 1 ELSE 0 END), 1) AS "Pass rate"
FROM output_01
GROUP BY "Programme", "Subject"
ORDER BY "Programme", "Subject";
