-- name: url_host
-- topic: codes
-- parameters: s
-- purpose: the host of a web address in small letters, without www., port and user
-- nulls: null where there is none
-- also: urlparse.netloc, url_domain, parse_url
-- example: url_host('https://user@www.Example.org:8080/a?b#c') => 'example.org'
-- example: url_host('example.org/path') => 'example.org'
-- example: url_host('not a host') => NULL
nullif(regexp_replace(regexp_extract(
    lower(strip_space(s)), '^(?:[a-z][a-z0-9+.-]*://)?(?:[^/@\s]*@)?([\p{L}\p{N}_-]+(?:[.][\p{L}\p{N}_-]+)+)(?::[0-9]+)?(?:[/?#]\S*)?$', 1
), '^www[.]', ''), '')
