"""What a step of a program does to tables: a table of rules for each kind of thing that it is done to."""

from prepsql.translate.pandas.rules.dispatch import (
    attribute_rule,
    call_rule,
    item_rule,
    method_rule,
    operator_rule,
    store_rule,
)

__all__ = ["attribute_rule", "call_rule", "item_rule", "method_rule", "operator_rule", "store_rule"]
