-- 1. Tidy lines: dates from their three notations, clinics to the nearest proper name, outcomes to one code each
--    (null where the clerk left none). The second export's heading has no appointment date and falls out.
CREATE TEMP TABLE lines AS
WITH clinics(clinic) AS (
    VALUES ('Physiotherapy'), ('Dermatology'), ('Cardiology'), ('Eye Clinic'), ('Podiatry')
),
parsed AS (
    SELECT
        appt,
        lower(trim(clinic)) AS written,
        CAST(try_strptime(referred, ['%Y-%m-%d', '%d/%m/%Y', '%d %b %Y']) AS DATE) AS referred,
        CAST(try_strptime(appointment, ['%Y-%m-%d', '%d/%m/%Y', '%d %b %Y']) AS DATE) AS appointment,
        CAST(try_strptime("cancelled on", ['%Y-%m-%d', '%d/%m/%Y', '%d %b %Y']) AS DATE) AS cancelled,
        CASE
            WHEN lower(outcome) = 'attended' THEN 'attended'
            WHEN lower(outcome) IN ('dna', 'did not attend') THEN 'no-show'
            WHEN lower(outcome) IN ('cancelled', 'canceled') THEN 'cancelled'
        END AS outcome
    FROM raw_input_01
)
SELECT
    appt,
    (SELECT arg_min(clinic, damerau_levenshtein(lower(clinic), written)) FROM clinics) AS clinic,
    referred,
    appointment,
    cancelled,
    outcome
FROM parsed
WHERE appointment IS NOT NULL;

-- 2. One line an appointment, and only those with an outcome.
CREATE TEMP TABLE appointments AS
SELECT DISTINCT *
FROM lines
WHERE outcome IS NOT NULL;

-- 3. What the board asks of each appointment.
CREATE TEMP TABLE judged AS
SELECT
    clinic,
    strftime(appointment, '%Y-%m') AS month,
    outcome,
    appointment - referred <= 14 AS in_target,
    outcome = 'cancelled' AND appointment - cancelled <= 1 AS late
FROM appointments;

-- 4. One row per clinic and month.
CREATE TABLE output_01 AS
SELECT
    clinic AS "Clinic",
    month AS "Month",
    count(*) AS "Booked",
    count(*) FILTER (outcome = 'attended') AS "Attended",
    round(
        100.0 * count(*) FILTER (outcome = 'no-show')
        / count(*) FILTER (outcome <> 'cancelled'), 2
    ) AS "No-show rate %",
    count(*) FILTER (late) AS "Late cancellations",
    round(
        100.0 * count(*) FILTER (outcome = 'attended' AND in_target)
        / count(*) FILTER (outcome = 'attended'), 2
    ) AS "In target %"
FROM judged
GROUP BY clinic, month
ORDER BY clinic, month;
