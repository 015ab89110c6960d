import re
from pathlib import Path

from prepsql.macros import library
from prepsql.profile import session
from prepsql.profile.session import MACROS


def test_every_macro_that_the_room_names_is_defined_and_no_other():
    room = Path(session.__file__).parent
    sources = (path.read_text(encoding="utf-8") for path in room.rglob("*.py") if path != Path(session.__file__))
    named = {name for source in sources for name in re.findall("[a-z0-9_]+", source) if name in library()}
    # a method of the room that is called as a macro
    assert sorted(named - {"cells_of"}) == sorted(MACROS)
