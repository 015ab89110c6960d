-- name: format_percent
-- topic: numbers
-- parameters: x, places := 0
-- purpose: a fraction as a percentage with its sign, half away from zero: 0.125 is 13%
-- nulls: null stays null
-- also: to_percent_text
-- example: format_percent(0.125) => '13%'
-- example: format_percent(0.12345, 1) => '12.3%'
-- example: format_percent(NULL) => NULL
format('{:.' || places || 'f}', round_half_up(round_half_up(try_cast(x AS DOUBLE) * 100, 12), places)) || '%'
