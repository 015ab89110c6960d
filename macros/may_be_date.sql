-- name: may_be_date
-- topic: parts
-- parameters: s
-- purpose: whether a text in small letters begins as a date in digits does, or names a month or a weekday beside digits
-- nulls: null stays null
-- example: may_be_date('5/3/24') => true
-- example: may_be_date('25th july 2021') => true
-- example: may_be_date('45/13/24') => false
length(s) <= 45 AND regexp_matches(s, '[0-9]') AND regexp_matches(s, '^(?:(?:1[5-9]|2[0-9]|99)[0-9]{2}[-/._](?:0?[1-9]|1[0-2])(?:$|[-/._](?:0?[1-9]|[12][0-9]|3[01])(?:[^0-9]|$))|(?:0?[1-9]|[12][0-9]|3[01])[-/._ ](?:0?[1-9]|[12][0-9]|3[01])[-/._ ](?:(?:1[5-9]|2[0-9]|99)[0-9]{2}|[0-9]{2})(?:[^0-9]|$)|(?:0?[1-9]|1[0-2])/(?:19|20)[0-9]{2}$)|(?:^|[^a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)')
