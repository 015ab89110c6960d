-- name: us_zip
-- topic: codes
-- parameters: s
-- purpose: a ZIP code of the United States: five digits, with the zeros that a number has lost, and the four after a hyphen where given
-- nulls: null where it is none
-- also: zip_code, zipcode
-- example: us_zip(1220) => '01220'
-- example: us_zip('94105 1804') => '94105-1804'
-- example: us_zip('941051804') => '94105-1804'
-- example: us_zip('9410A') => NULL
CASE
    WHEN regexp_full_match(strip_space(s::VARCHAR), '[0-9]{3,5}') THEN lpad(strip_space(s::VARCHAR), 5, '0')
    WHEN regexp_full_match(strip_space(s::VARCHAR), '[0-9]{5}[- ]?[0-9]{4}')
    THEN left(strip_space(s::VARCHAR), 5) || '-' || right(strip_space(s::VARCHAR), 4)
END
