"""What `import prepsql` offers, whichever room was loaded first."""

import subprocess
import sys

import pytest

import prepsql


@pytest.mark.parametrize("name", prepsql.__all__)
def test_every_public_name_is_there(name):
    assert callable(getattr(prepsql, name))


@pytest.mark.parametrize(
    "before", ["", "import prepsql.compare", "from prepsql.compare import Policy", "prepsql.compare", "prepsql.read"]
)
def test_compare_is_the_function_and_its_room_can_be_imported(before):
    code = f"import prepsql\n{before}\nfrom prepsql.compare import compare\nassert prepsql.compare is compare\n"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_name_lists_what_is_there():
    with pytest.raises(AttributeError, match=r"'summarise'.*compare.*read"):
        _ = prepsql.summarise
