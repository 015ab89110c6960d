import re
from pathlib import Path

from prepsql.macros import library
from prepsql.profile import session
from prepsql.profile.session import MACROS


def test_every_macro_that_the_room_calls_is_defined_and_no_other():
    room = Path(session.__file__).parent
    called = {
        name
        for path in room.rglob("*.py")
        for name in re.findall(r"\b([a-z_]+)\(", path.read_text(encoding="utf-8"))
        if name in library()
    }
    # functions of Python in the room that are called as a macro
    assert sorted(called - {"cells_of"}) == sorted(MACROS)
