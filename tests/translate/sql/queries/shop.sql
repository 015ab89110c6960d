SELECT a.order_id, b.order_id AS other FROM input_01 a JOIN input_01 b ON a.customer = b.customer AND a.order_id < b.order_id ORDER BY 1, 2 LIMIT 30;

SELECT customer, order_id, sum(qty) OVER (PARTITION BY customer ORDER BY ordered, order_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running FROM input_01 ORDER BY customer, ordered, order_id, running;

SELECT product, count(*) AS n, count(*) * 100.0 / sum(count(*)) OVER () AS share FROM input_01 GROUP BY product HAVING count(*) > 1 ORDER BY n DESC, product;

SELECT customer, arg_max(product, ordered) AS last_product, arg_min(product, ordered) AS first_product, max(ordered) AS d FROM input_01 WHERE customer IS NOT NULL GROUP BY customer ORDER BY customer;

SELECT customer, list(product ORDER BY order_id)[1:3] AS firsts, histogram(status) AS h FROM input_01 GROUP BY customer ORDER BY customer;

SELECT * FROM input_04 WHERE price > (SELECT avg(price) FROM input_04) ORDER BY ALL;

SELECT c.name FROM input_02 c WHERE (SELECT count(*) FROM input_01 o WHERE o.customer = c.customer_id AND o.qty > 2) >= 2 ORDER BY 1;

SELECT c.customer_id, (SELECT string_agg(DISTINCT o.product, ',' ORDER BY o.product) FROM input_01 o WHERE o.customer = c.customer_id) AS products FROM input_02 c ORDER BY ALL;

SELECT customer_id, tier, CASE WHEN customer_id IN (SELECT customer FROM input_01) THEN 'yes' ELSE 'no' END AS bought FROM input_02 ORDER BY ALL;

SELECT o.order_id FROM input_01 o WHERE o.qty = (SELECT max(i.qty) FROM input_01 i WHERE i.product = o.product) AND o.status = 'shipped' ORDER BY 1;

SELECT o.order_id, x.price FROM input_01 o LEFT JOIN LATERAL (SELECT p.price FROM input_04 p WHERE p.code = o.product AND p.valid_from <= o.ordered ORDER BY p.valid_from DESC LIMIT 1) x ON true ORDER BY 1, 2;

SELECT o.product, s.total, s.n FROM (SELECT DISTINCT product FROM input_01) o CROSS JOIN LATERAL (SELECT sum(i.qty) AS total, count(*) AS n FROM input_01 i WHERE i.product = o.product) s ORDER BY 1;

SELECT month, sum(n) FROM (SELECT date_trunc('month', ordered) AS month, 1 AS n FROM input_01) GROUP BY ALL ORDER BY ALL;

SELECT strftime(ordered, '%Y-%m') AS ordered, count(*) AS n FROM input_01 GROUP BY strftime(ordered, '%Y-%m') ORDER BY ordered;

SELECT upper(status) AS status, sum(qty) AS qty FROM input_01 GROUP BY upper(status) ORDER BY qty DESC, status;

SELECT a.*, b.* FROM input_04 a JOIN input_03 b ON a.code = b.code ORDER BY ALL;

SELECT * FROM input_04 JOIN input_03 USING (code) ORDER BY ALL;

SELECT i.code, o.code AS code2, i.price FROM input_04 i FULL JOIN input_03 o ON i.code = o.code ORDER BY ALL;

SELECT code FROM input_04 i FULL JOIN input_03 o USING (code) ORDER BY 1;

SELECT qty AS price, unit_price AS qty, order_id FROM input_01 ORDER BY order_id, price, qty;

SELECT qty + 1 AS qty, qty * 2 AS double, order_id FROM input_01 ORDER BY order_id, double;

SELECT order_id AS a, qty AS b, a + b AS c FROM input_01 ORDER BY a, b, c;

SELECT DISTINCT ON (customer) customer, order_id, ordered FROM input_01 ORDER BY customer, ordered DESC, order_id;

SELECT product, qty, rank() OVER (PARTITION BY product ORDER BY qty DESC) AS r FROM input_01 QUALIFY r <= 2 ORDER BY product, r, qty;

SELECT product FROM input_01 GROUP BY product QUALIFY row_number() OVER (ORDER BY count(*) DESC, product) <= 3 ORDER BY product;

SELECT order_id, ntile(4) OVER (ORDER BY order_id, ordered, qty, status) AS q, cume_dist() OVER (ORDER BY order_id) AS c FROM input_01 ORDER BY order_id, q;

SELECT x.a, x.b FROM (VALUES (1, 'x'), (2, 'y'), (3, NULL)) AS x(a, b) WHERE x.a > 1 ORDER BY a;

SELECT d::DATE AS day FROM generate_series(DATE '2024-01-01', DATE '2024-01-10', INTERVAL 1 DAY) AS t(d) ORDER BY 1;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i, i * i AS sq FROM n ORDER BY i;

SELECT code, unnest(string_split(tags, ';')) AS tag, row_number() OVER (PARTITION BY code) AS dummy FROM input_03 WHERE tags IS NOT NULL ORDER BY ALL;

SELECT code, tag FROM (SELECT code, unnest(string_split(tags, ';')) AS tag FROM input_03) WHERE tag LIKE 'c%' ORDER BY ALL;

SELECT t.tag, count(*) AS n FROM input_03 p CROSS JOIN unnest(string_split(p.tags, ';')) AS t(tag) GROUP BY t.tag ORDER BY n DESC, 1;

SELECT status FROM input_01 WHERE qty > 1 INTERSECT SELECT status FROM input_01 WHERE channel = 'web' ORDER BY 1;

(SELECT product FROM input_01 EXCEPT ALL SELECT code FROM input_03) ORDER BY 1;

SELECT product AS p, 1 AS src FROM input_01 UNION ALL SELECT code, 2.5 FROM input_04 ORDER BY p, src;

SELECT CASE WHEN qty IS NULL THEN 'none' WHEN qty < 3 THEN 'few' ELSE 'many' END AS bucket, count(*) FROM input_01 GROUP BY 1 ORDER BY 2 DESC, 1;

SELECT customer, count(*) FILTER (WHERE status = 'shipped') AS shipped, sum(qty) FILTER (WHERE channel = 'web' AND qty > 1) AS web FROM input_01 GROUP BY customer ORDER BY customer NULLS FIRST;

SELECT o.order_id, c.name, p.title FROM input_01 o LEFT JOIN input_02 c ON o.customer = c.customer_id LEFT JOIN input_03 p ON p.code = upper(trim(o.product)) ORDER BY 1, 2, 3;

SELECT o.order_id, c.name FROM input_01 o, input_02 c WHERE o.customer = c.customer_id AND c.tier = 'gold' AND o.qty > 1 ORDER BY 1, 2;

SELECT c.city, count(DISTINCT o.order_id) AS n, sum(o.qty) AS q FROM input_02 c LEFT JOIN input_01 o ON o.customer = c.customer_id AND o.status = 'shipped' GROUP BY c.city ORDER BY n DESC, c.city;

SELECT coalesce(p.category, 'x') AS category, avg(o.qty) AS q FROM input_01 o LEFT JOIN input_03 p ON p.code = o.product WHERE o.ordered BETWEEN DATE '2024-01-01' AND DATE '2024-02-28' GROUP BY p.category ORDER BY 1;

SELECT order_id, lag(qty, 1, 0) OVER w AS prev, lead(qty) OVER w AS next FROM input_01 WHERE customer = 'C10' WINDOW w AS (ORDER BY ordered, order_id, qty) ORDER BY ordered, order_id, qty;

SELECT count(*) AS n, count(DISTINCT customer) AS c, min(ordered) AS a, max(ordered) AS b, median(qty) AS m, mode(status) AS s FROM input_01;

SELECT (SELECT count(*) FROM input_01) AS orders, (SELECT max(price) FROM input_04) AS dearest;

SELECT product, price FROM (SELECT code AS product, price, row_number() OVER (PARTITION BY code ORDER BY valid_from DESC, price) AS rn FROM input_04) WHERE rn = 1 ORDER BY product;

SELECT a.code, a.price AS p1, b.price AS p2 FROM input_04 a JOIN input_04 b ON a.code = b.code AND a.valid_from < b.valid_from WHERE NOT EXISTS (SELECT 1 FROM input_04 m WHERE m.code = a.code AND m.valid_from > a.valid_from AND m.valid_from < b.valid_from) ORDER BY ALL;

SELECT customer, product FROM input_01 WHERE (customer, product) IN (SELECT customer, product FROM input_01 GROUP BY ALL HAVING count(*) > 1) ORDER BY ALL;

SELECT code FROM input_03 WHERE code <> ALL (SELECT product FROM input_01 WHERE product IS NOT NULL) ORDER BY code;

SELECT product, qty FROM input_01 WHERE qty >= ALL (SELECT qty FROM input_01 WHERE qty IS NOT NULL) ORDER BY 1;

SELECT year(ordered) AS y, month(ordered) AS m, channel, sum(qty) AS q FROM input_01 GROUP BY CUBE (y, m), channel ORDER BY ALL;

SELECT * FROM (SELECT product, channel, qty FROM input_01) PIVOT (sum(qty) FOR channel IN ('web', 'store')) ORDER BY product;

SELECT * FROM (SELECT * EXCLUDE (tags) FROM input_03) ORDER BY code;

SELECT COLUMNS('c.*') FROM input_02 ORDER BY ALL;

SELECT min(COLUMNS(* EXCLUDE (name))) FROM input_02;

SELECT row_number() OVER () AS n, order_id FROM input_01 ORDER BY n LIMIT 5;

SELECT rowid, order_id FROM input_01 WHERE rowid % 7 = 0 ORDER BY rowid;

SELECT order_id FROM input_01 ORDER BY qty DESC NULLS LAST, order_id LIMIT 5 OFFSET 3;

SELECT name, length(name) AS len FROM input_02 ORDER BY length(trim(name)) DESC, name;

SELECT DISTINCT status, channel FROM input_01 ORDER BY ALL;

SELECT array_agg(DISTINCT status) IS NOT NULL AS x FROM input_01;

SELECT first(order_id) AS f, last(order_id) AS l, any_value(channel) AS a FROM input_01;

SELECT bit_and(qty) AS b, product(qty) AS p, kurtosis(qty) AS k, sum(DISTINCT qty) AS d, count_if(qty > 2) AS c FROM input_01;

FROM input_01 SELECT customer, sum(qty) AS q GROUP BY customer ORDER BY q DESC, customer LIMIT 3;

SELECT o.customer, max(o.qty * p.price) AS best FROM input_01 o JOIN input_04 p ON p.code = o.product GROUP BY o.customer ORDER BY best DESC, 1;

SELECT t1.status AS s, t1.n, t2.n AS all_n FROM (SELECT status, count(*) AS n FROM input_01 GROUP BY status) t1, (SELECT count(*) AS n FROM input_01) t2 ORDER BY 1;

SELECT customer_id, name FROM input_02 WHERE tier IS NOT NULL AND tier NOT IN ('gold', 'silver') OR city = 'Oslo' ORDER BY 1, 2;

WITH m AS MATERIALIZED (SELECT date_trunc('month', ordered)::DATE AS month, sum(qty) AS q FROM input_01 GROUP BY 1), l AS (SELECT *, lag(q) OVER (ORDER BY month) AS prev FROM m) SELECT month, q, prev, round(100.0 * (q - prev) / prev, 1) AS growth FROM l ORDER BY month;

SELECT c.customer_id, r.name AS referrer FROM input_02 c LEFT JOIN input_02 r ON c.referred_by = r.customer_id ORDER BY ALL;

SELECT {'a': qty, 'b': product}.b AS b, [qty, 1][1] AS q FROM input_01 ORDER BY ALL;

SELECT customer, sum(sum(qty)) OVER (ORDER BY customer) AS cum FROM input_01 GROUP BY customer ORDER BY customer;

SELECT customer, qty FROM input_01 WHERE qty > (SELECT avg(qty) FROM input_01) AND customer IN (SELECT customer_id FROM input_02 WHERE city IN ('Oslo', 'Malmö')) ORDER BY ALL;

SELECT grp, count(*) FROM (SELECT ordered - (row_number() OVER (ORDER BY ordered))::INT AS grp FROM (SELECT DISTINCT ordered FROM input_01)) GROUP BY grp ORDER BY grp;

SELECT a.n FROM (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3) a SEMI JOIN (SELECT 2 AS n) b USING (n);

SELECT product, max(CASE WHEN status = 'shipped' THEN qty END) AS shipped, max(CASE WHEN status = 'returned' THEN qty END) AS returned FROM input_01 GROUP BY product ORDER BY product;

SELECT TRY_CAST(discount_pct AS INTEGER) AS d, count(*) AS n FROM input_01 GROUP BY d ORDER BY d NULLS FIRST;

SELECT count(*) FROM (SELECT DISTINCT customer, product FROM input_01) x;

SELECT 'total' AS label, sum(qty) AS q FROM input_01 UNION ALL SELECT status, sum(qty) FROM input_01 GROUP BY status ORDER BY label, q;

SELECT customer, ordered, qty, avg(qty) OVER (PARTITION BY customer ORDER BY ordered RANGE BETWEEN INTERVAL 30 DAYS PRECEDING AND CURRENT ROW) AS r FROM input_01 ORDER BY ALL;

SELECT name.trim().upper() AS n, city[1:2] AS c FROM input_02 ORDER BY ALL;

SELECT i FROM range(5) t(i) LEFT JOIN (SELECT 3 AS j) u ON t.i = u.j WHERE u.j IS NULL ORDER BY i;

SELECT customer_id FROM input_02 c WHERE NOT EXISTS (SELECT 1 FROM input_01 o WHERE o.customer = c.customer_id AND o.ordered > (SELECT max(ordered) - 60 FROM input_01)) ORDER BY 1;

SELECT order_id, (SELECT count(*) FROM input_01 b WHERE b.ordered < a.ordered) AS earlier FROM input_01 a ORDER BY 1, 2;

SELECT product, (SELECT price FROM input_04 p WHERE p.code = o.product ORDER BY valid_from LIMIT 1) AS first_price, count(*) AS n FROM input_01 o GROUP BY product ORDER BY product;

SELECT customer, product, sum(qty) AS q, GROUPING(customer, product) AS g FROM input_01 GROUP BY ROLLUP (customer, product) HAVING sum(qty) > 3 ORDER BY g, customer, product;

SELECT * FROM input_04 p WHERE (p.code, p.valid_from) IN (SELECT code, max(valid_from) FROM input_04 GROUP BY code) ORDER BY ALL;

SELECT DISTINCT product, count(*) OVER (PARTITION BY product) AS n FROM input_01 ORDER BY n DESC, product;
