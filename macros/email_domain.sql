-- name: email_domain
-- topic: codes
-- parameters: s
-- purpose: the domain of an e-mail address, in small letters
-- nulls: null where it is no address
-- also: domain_of
-- example: email_domain(' Ada@Mail.Example.ORG ') => 'mail.example.org'
-- example: email_domain('ada') => NULL
-- example: email_domain(NULL) => NULL
CASE WHEN is_email(s) THEN lower(split_part(strip_space(s), '@', 2)) END
