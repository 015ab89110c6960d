"""Which columns are about the same thing by their names, and what is told of two tables by that."""

import pytest

from prepsql.profile.joins import joins
from prepsql.profile.names import about_same
from prepsql.profile.rules import tables_apart


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("orders", "customer_id"), ("customers", "id"), True),
        (("orders", "cust_no"), ("customers", "customerNumber"), True),
        (("orders", "id"), ("customers", "id"), False),
        (("orders", "sku"), ("customers", "customer_no"), False),
        (("orders", "category id"), ("categories", "ID"), True),
        (("input_01", "id"), ("input_02", "id"), None),
        (("orders", "Unnamed: 3"), ("customers", "id"), None),
    ],
)
def test_a_name_that_says_nothing_alone_is_that_of_its_table(one, other, same):
    assert about_same(*one, *other) is same
    assert about_same(*other, *one) is same


def test_numbers_that_count_on_and_digits_of_codes_are_joined_where_names_agree(tabled, scanned):
    orders = tabled(
        ["id", "customer_id", "sku"], [[n + 1, n % 40 + 1, f"SKU-{1000 + n % 30}"] for n in range(200)], "o"
    )
    customers = tabled(["id", "customer_no"], [[n + 1, f"C{1000 + n}"] for n in range(40)], "customers")
    products = tabled(["id", "sku"], [[n + 1, f"SKU-{1000 + n}"] for n in range(30)], "products")
    found = joins(scanned(orders, customers, products))
    assert {(join.left_column, join.right, join.right_column) for join in found} == {
        ("customer_id", customers.name, "id"),
        ("sku", products.name, "sku"),
    }


def test_ids_of_unlike_tables_are_not_compared(tabled, scanned):
    orders = tabled(["id", "total"], [[f"O-{n}", n] for n in range(30)], "orders")
    customers = tabled(["id", "city"], [[n, f"town {n}"] for n in range(30)], "customers")
    assert list(tables_apart.find(scanned(orders, customers))) == []
