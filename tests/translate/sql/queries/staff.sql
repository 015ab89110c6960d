SELECT d.title, e.name FROM input_02 d LEFT JOIN input_01 e USING (dept) ORDER BY 1, 2;

SELECT e.name, m.name AS manager FROM input_01 e RIGHT JOIN input_01 m ON e.manager = m.emp_id ORDER BY ALL;

SELECT emp_id, name FROM input_01 e WHERE grade = 'A' AND EXISTS (SELECT * FROM input_01 x WHERE x.manager = e.emp_id AND x.grade <> e.grade) ORDER BY ALL;

SELECT dept, string_agg(name, ', ' ORDER BY name) AS names FROM input_01 GROUP BY dept ORDER BY dept;

SELECT emp, week, day, hours FROM input_03 UNPIVOT (hours FOR day IN ("Mon", "Tue", "Wed")) ORDER BY ALL;

UNPIVOT input_03 ON COLUMNS('^[MTWF]') INTO NAME day VALUE h ORDER BY ALL;

PIVOT (UNPIVOT input_03 ON "Mon", "Tue" INTO NAME day VALUE h) ON day USING sum(h) GROUP BY emp ORDER BY emp;

PIVOT input_01 ON grade USING count(*) GROUP BY dept ORDER BY dept;

PIVOT input_01 ON grade, dept USING count(*) ORDER BY ALL;

SELECT * FROM (PIVOT input_01 ON grade USING max(emp_id) AS m, count(*) AS n GROUP BY manager) ORDER BY ALL;

SELECT emp, list_sum([coalesce("Mon", 0), coalesce("Tue", 0)]) AS s FROM input_03 ORDER BY ALL;

SELECT s, count(*) AS n FROM (SELECT lower(trim(unnest(string_split(skills, ';')))) AS s FROM input_04) GROUP BY s HAVING n > 1 ORDER BY n DESC, s;

SELECT emp_id, salary, replace(salary, ',', '')::INT AS pay, pay * 12 AS yearly FROM input_01 WHERE regexp_matches(salary, '^[\d,]+$') AND pay > 3000 ORDER BY yearly DESC, emp_id;

SELECT grade, avg(pay) AS mean, stddev_pop(pay) AS sd, max(pay) - min(pay) AS spread FROM (SELECT grade, TRY_CAST(replace(salary, ',', '') AS INT) AS pay FROM input_01) GROUP BY grade ORDER BY grade NULLS LAST;

WITH RECURSIVE chain AS (SELECT emp_id, manager, 0 AS lvl FROM input_01 WHERE manager IS NULL UNION ALL SELECT e.emp_id, e.manager, c.lvl + 1 FROM input_01 e JOIN chain c ON e.manager = c.emp_id WHERE c.lvl < 5), counted AS (SELECT lvl, count(*) AS n FROM chain GROUP BY lvl) SELECT * FROM counted ORDER BY lvl;

SELECT dept, emp_id, pay, pay - avg(pay) OVER (PARTITION BY dept) AS diff, percent_rank() OVER (PARTITION BY dept ORDER BY pay) AS pr FROM (SELECT dept, emp_id, TRY_CAST(replace(salary, ',', '') AS INT) AS pay FROM input_01) WHERE pay IS NOT NULL ORDER BY ALL;

SELECT a.emp_id, b.emp_id AS peer FROM input_01 a, input_01 b WHERE a.dept = b.dept AND a.emp_id <> b.emp_id AND a.grade = b.grade ORDER BY ALL;

SELECT a.emp_id, count(b.*) AS n FROM input_01 a LEFT JOIN input_01 b ON b.manager = a.emp_id GROUP BY a.emp_id ORDER BY ALL;

SELECT emp_id FROM input_01 WHERE manager NOT IN (SELECT emp_id FROM input_01 WHERE grade = 'A') ORDER BY 1;

SELECT dept, (SELECT count(*) FROM input_01 e WHERE e.dept = d.dept) AS n, (SELECT max(x.hired) FROM input_01 x WHERE x.dept = d.dept) AS last FROM input_02 d ORDER BY n DESC, dept;

SELECT dept FROM input_02 d WHERE 2 < (SELECT count(*) FROM input_01 e WHERE e.dept = d.dept OR e.dept = d.parent) ORDER BY dept;

SELECT t.dept, t.budget, c.title AS child FROM input_02 t LEFT JOIN input_02 c ON c.parent = t.dept WHERE t.parent IS NULL OR c.dept IS NULL ORDER BY ALL;

SELECT e.emp_id, s.skill FROM input_01 e LEFT JOIN input_04 k ON k.emp = e.emp_id LEFT JOIN unnest(string_split(k.skills, ';')) AS s(skill) ON true ORDER BY ALL;

SELECT e.emp_id, k.skill FROM input_01 e CROSS JOIN LATERAL (SELECT unnest(string_split(s.skills, ';')) AS skill FROM input_04 s WHERE s.emp = e.emp_id) k ORDER BY ALL;

SELECT DISTINCT e.dept, first_value(e.name) OVER (PARTITION BY e.dept ORDER BY e.hired, e.name) AS first_hired FROM input_01 e ORDER BY ALL;

SELECT dept, grade, count(*) AS n FROM input_01 GROUP BY GROUPING SETS ((dept), (grade), ()) ORDER BY ALL;

SELECT coalesce(dept, 'all') AS dept, n FROM (SELECT dept, count(*) AS n FROM input_01 GROUP BY ROLLUP (dept)) ORDER BY n DESC, dept;

SELECT 'x' AS k, * FROM input_02 UNION ALL BY NAME SELECT 'y' AS k, dept, name AS title FROM input_01 ORDER BY ALL;

SELECT dept FROM input_02 EXCEPT SELECT dept FROM input_01 ORDER BY dept;

SELECT max(n) FROM (SELECT count(*) AS n FROM input_01 GROUP BY dept);

SELECT name FROM input_01 WHERE emp_id = (SELECT min(emp_id) FROM input_01);

SELECT name, CASE WHEN EXISTS (SELECT 1 FROM input_01 x WHERE x.manager = e.emp_id) THEN 'boss' ELSE 'staff' END AS role FROM input_01 e ORDER BY ALL;

SELECT name, (SELECT x.name FROM input_01 x WHERE x.emp_id = e.manager LIMIT 1) AS boss, (SELECT count(*) FROM input_01 y WHERE y.hired > e.hired) AS younger FROM input_01 e ORDER BY ALL;

SELECT week, sum("Mon" + "Tue") AS a, sum(coalesce("Mon", 0)) AS b, bool_and("Fri" IS NULL) AS c FROM input_03 GROUP BY week ORDER BY week;

SELECT "Mon" AS "Hours on Monday", emp FROM input_03 WHERE "Mon" > 8 ORDER BY "Hours on Monday" DESC, emp;

SELECT emp, max(h) AS h FROM (SELECT emp, "Mon" AS h FROM input_03 UNION ALL SELECT emp, "Tue" FROM input_03) GROUP BY emp ORDER BY emp;

SELECT z.* FROM (SELECT emp, count(*) AS n FROM input_03 GROUP BY emp) z JOIN (SELECT max(n) AS n FROM (SELECT count(*) AS n FROM input_03 GROUP BY emp)) m ON z.n = m.n ORDER BY ALL;

SELECT emp_id, hired, lag(hired) OVER (ORDER BY hired, emp_id) AS prev FROM input_01 QUALIFY prev IS DISTINCT FROM hired ORDER BY hired, emp_id;

SELECT emp_id, name FROM input_01 QUALIFY count(*) OVER (PARTITION BY emp_id) > 1 ORDER BY ALL;

SELECT i AS n, (SELECT count(*) FROM input_01 WHERE grade = chr(64 + i::INT)) AS c FROM range(1, 4) r(i) ORDER BY n;

SELECT split_part(name, ' ', 1) AS first, split_part(name, ' ', -1) AS last FROM input_01 ORDER BY last, first;

SELECT dept, max(emp_id) AS emp_id FROM input_01 GROUP BY dept HAVING max(emp_id) > (SELECT min(emp_id) FROM input_01) ORDER BY dept;

SELECT e.* FROM input_01 e ANTI JOIN input_04 k ON k.emp = e.emp_id ORDER BY ALL;

SELECT sum(n) OVER (ORDER BY dept) AS running, dept FROM (SELECT dept, count(*) AS n FROM input_01 GROUP BY dept) ORDER BY dept;

SELECT * FROM (VALUES ('A', 1.5), ('B', 2)) f(grade, factor) JOIN input_01 USING (grade) ORDER BY ALL;

WITH f(g, w) AS (VALUES ('A', DATE '2020-01-01'), ('B', NULL)) SELECT e.emp_id, f.w FROM input_01 e JOIN f ON f.g = e.grade ORDER BY ALL;

SELECT dept, count(*) AS n FROM input_01 GROUP BY dept HAVING count(*) = (SELECT max(c) FROM (SELECT count(*) AS c FROM input_01 GROUP BY dept)) ORDER BY dept;

SELECT a.name FROM input_01 a WHERE (SELECT count(DISTINCT b.salary) FROM input_01 b WHERE b.salary > a.salary) < 3 ORDER BY 1;

SELECT emp_id FROM input_01 a WHERE salary > ANY (SELECT salary FROM input_01 b WHERE b.dept = a.dept AND b.emp_id <> a.emp_id) ORDER BY 1;

SELECT emp_id, salary > ALL (SELECT salary FROM input_01 b WHERE b.dept = 'D2') AS top FROM input_01 a ORDER BY ALL;

SELECT emp_id, grade IN (SELECT grade FROM input_01 b WHERE b.dept = a.dept AND b.emp_id <> a.emp_id) AS shared FROM input_01 a ORDER BY ALL;
