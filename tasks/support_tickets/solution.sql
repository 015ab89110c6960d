-- 1. Tickets only: no repeated headers, no notes about the export.
CREATE TABLE records AS
SELECT
    rowid AS line,
    "Ticket" AS ticket,
    strptime("Opened", ['%Y-%m-%d %H:%M', '%d/%m/%Y %H:%M']) AS opened,
    CAST("Account" AS INTEGER) AS account,
    lower(trim("Team")) AS team,
    upper(trim("Priority")) AS priority,
    "Status" AS status,
    "First reply" AS first_reply,
    "Elapsed" AS elapsed,
    "Worked" AS worked
FROM raw_input_01
WHERE "Ticket" LIKE 'T-%';

-- 2. A ticket that was exported twice counts as it stands in the later export.
CREATE TABLE latest AS
SELECT *
FROM records
QUALIFY row_number() OVER (PARTITION BY ticket ORDER BY line DESC) = 1;

-- 3. Finished tickets.
CREATE TABLE finished AS
SELECT *
FROM latest
WHERE status IN ('Solved', 'Closed');

-- 4. Both durations of each ticket, one below the other.
CREATE TABLE durations AS
SELECT ticket, 'reply' AS what, trim(first_reply) AS duration FROM finished
UNION ALL
SELECT ticket, 'time' AS what, trim(worked) AS duration FROM finished;

-- 5. Durations in minutes: 1:20, 80 (or 80 min), 1h 20m, 1.5 h, 1d 2h; without a digit there is none.
CREATE TABLE minutes AS
SELECT
    ticket,
    what,
    CASE
        WHEN duration LIKE '%:%'
            THEN 60 * CAST(split_part(duration, ':', 1) AS DOUBLE) + CAST(split_part(duration, ':', 2) AS DOUBLE)
        WHEN regexp_matches(duration, '^\d+$') THEN CAST(duration AS DOUBLE)
        WHEN regexp_matches(duration, '\d')
            THEN 1440 * coalesce(TRY_CAST(regexp_extract(duration, '([\d.]+) ?d', 1) AS DOUBLE), 0)
                + 60 * coalesce(TRY_CAST(regexp_extract(duration, '([\d.]+) ?h', 1) AS DOUBLE), 0)
                + coalesce(TRY_CAST(regexp_extract(duration, '([\d.]+) ?m', 1) AS DOUBLE), 0)
    END AS minutes
FROM durations;

-- 6. The plan of the account, and the ticket's own minutes.
CREATE TABLE tickets AS
SELECT f.opened, f.team, f.priority, a.plan, reply.minutes AS reply, spent.minutes AS spent
FROM finished AS f
JOIN input_02 AS a ON f.account = a."contract no"
JOIN minutes AS reply ON f.ticket = reply.ticket AND reply.what = 'reply'
JOIN minutes AS spent ON f.ticket = spent.ticket AND spent.what = 'time';

-- 7. The promise for each ticket in minutes, and whether it was broken; no reply at all is late.
CREATE TABLE judged AS
WITH promised AS (
    SELECT
        *,
        CASE
            WHEN plan = 'Trial' THEN 24 * 60
            WHEN priority IN ('URGENT', 'URGNET', 'P1') THEN 2 * 60
            ELSE 8 * 60
        END AS promise
    FROM tickets
)
SELECT *, coalesce(reply > promise, true) AS late
FROM promised;

-- 8. Teams by month, the worst first.
CREATE TABLE output_01 AS
SELECT
    strftime(opened, '%Y-%m') AS "Month",
    upper(left(team, 1)) || substr(team, 2) AS "Team",
    count(*) AS "Tickets",
    count(*) FILTER (WHERE late) AS "Late",
    round(100 * count(*) FILTER (WHERE late) / count(*), 1) AS "Late %",
    median(spent) AS "Typical minutes"
FROM judged
GROUP BY "Month", "Team"
ORDER BY "Month", "Late %" DESC, "Team";
