"""Other steps in the place of a translation's own are held against the same runs of the code."""

from pathlib import Path

from prepsql.translate.run import translating
from prepsql.translate.translation import GIVEN, Verdict

INPUTS = Path(__file__).resolve().parent.parent / "fixtures" / "agents" / "translate" / "suite" / "shops" / "inputs"
WIDE = """
def solve(tables):
    sales = tables["raw_input_01"].copy()
    sales["town"] = sales["town"].str.strip().str.casefold()
    sales["amount"] = sales["amount"].astype(float)
    return {"output_01": sales.pivot_table(index="town", columns="code", values="amount", aggfunc="sum").reset_index()}
"""


def test_what_is_specialised_excuses_nothing_that_the_translation_has_right():
    with translating(WIDE, INPUTS, "pandas") as found:
        own = found.translation
        assert own.proven
        assert [script.step for script in own.scripts] == ["town_2"]
        assert "by_code" in own.specialised
        verdicts = {proof.inputs: proof.verdict for proof in own.proofs}
        assert verdicts[GIVEN] is verdicts["rows doubled"] is Verdict.EQUAL
        assert verdicts["a tenth of the rows"] is Verdict.FLAGGED
        nodes = dict(own.workflow.document["nodes"])

        def says(expression):
            computed = {"compute": [{"as": "town_2", "expr": expression}]}
            return found.against({**nodes, "town_2": {**nodes["town_2"], "kind": "project", "params": computed}})

        assert found.against(nodes) == says("lower(value)") == ""
        # wrong for more than seven rows, before the step that is specialised
        wrong = says("CASE WHEN count(*) OVER () > 7 THEN upper(value) ELSE lower(value) END")
        assert wrong.startswith(
            "on changed inputs (rows doubled): output_01.csv: row 1, column 'town': 'HULL' is 'hull'"
        )
        assert says("upper(value)").startswith("on the given inputs: output_01.csv: row 1, column 'town'")
