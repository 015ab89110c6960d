"""The figures over the release's outcomes are the numbers of its own figures, cell by cell, and the paper's."""

import csv
import json
import shutil

import pytest

from prepsql.errors import RecordError
from prepsql.evaluate.reports.report import report

# file → figure, the figure's column for each of the file's; `model` finds the row and isn't compared
FIGURES = {
    "rq2_1_plot_data_raw_profile.csv": (
        "ambiguity_gap", {"raw_profile_pass_rate": "direct", "profile_pass_rate": "codegen", "delta": "gap"}, {}
    ),
    "rq2_2_plot_data_raw_profile.csv": (
        "ambiguity_gap_by_kind", {"raw_profile_pass_rate": "direct", "profile_pass_rate": "codegen"},
        {"ambiguity_type": "kind"},
    ),
    "rq3_1_plot_data.csv": (
        "interaction_gain", {"raw_pass_rate": "direct", "interact_pass_rate": "e2e_code", "delta": "gain"}, {}
    ),
    "rq3_2_plot_data.csv": ("budget_usage", {"usage_ratio": "usage"}, {}),
    "rq3_4a_plot_data.csv": (
        "disambiguation_by_kind", {"precision": "precision", "recall": "recall", "f1": "f1"},
        {"ambiguity_type": "kind"},
    ),
    "rq4_1_plot_data.csv": (
        "profiling_gain", {"full_pass_rate": "noprofile", "profile_pass_rate": "codegen", "delta": "gain"}, {}
    ),
    "rq5_1_plot_data.csv": (
        "translation_outcomes",
        {"execerror_pct": "fail_pct", "execok_fail_pct": "wrong_pct", "execok_pass_pct": "correct_pct",
         "total": "total"}, {},
    ),
    "rq5_3_plot_data.csv": (
        "translation_outcomes_by_steps",
        {"complexity_bin": "bin", "execerror_pct": "fail_pct", "execok_fail_pct": "wrong_pct",
         "execok_pass_pct": "correct_pct", "total": "total"}, {"bin_label": "steps"},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def results(prepbench):
    return prepbench / "results"


@pytest.fixture(scope="module")
def found(results):
    return report([results])


def test_every_file_of_the_figures_is_compared(results):
    assert {path.name for path in results.glob("rq*_plot_data*.csv")} == set(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_every_cell_of_the_figures_files_is_in_the_report(results, found, name):
    figure, columns, by = FIGURES[name]
    with (results / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    counted = {"model", "model_label", "n_actual_bins"} & set(rows[0])
    assert set(rows[0]) == counted | set(columns) | set(by)
    for wanted in rows:
        row = found.row(figure, wanted["model_label"], **{ours: wanted[theirs] for theirs, ours in by.items()})
        assert row is not None, wanted
        for theirs, ours in columns.items():
            assert abs(float(wanted[theirs]) - row[ours]) < 1e-9, (wanted, ours)
        if "n_actual_bins" in wanted:
            bins = {r["bin"] for r in found.figures[figure] if r["run"] == wanted["model_label"]}
            assert len(bins) == int(wanted["n_actual_bins"])


@pytest.mark.parametrize("name", FIGURES)
def test_the_report_has_no_model_kind_or_bin_that_the_file_lacks(results, found, name):
    figure, _, by = FIGURES[name]
    with (results / name).open(newline="") as file:
        wanted = {(row["model_label"], *(row[theirs] for theirs in by)) for row in csv.DictReader(file)}
    told = {(row["run"], *(row[ours] for ours in by.values())) for row in found.figures[figure]}
    # of the gap by kind the paper shows two of the ten models
    models = {model for model, *_ in wanted}
    assert {row for row in told if row[0] in models} == wanted
    assert len(models) == (2 if name.startswith("rq2_2") else 10)


def test_models_have_the_names_of_the_figures_files(results, found):
    with (results / "rq2_1_plot_data_raw_profile.csv").open(newline="") as file:
        assert [row["model_label"] for row in csv.DictReader(file)] == list(found.runs)


def test_macro_f1_over_tasks_with_entries_is_that_of_the_papers_table(found):
    table = {
        "GPT-5.1-Codex": 51.4, "Claude-Sonnet-4.5": 51.3, "Gemini 3 Flash": 51.0, "Grok Code Fast 1": 34.5,
        "GPT-4o": 44.6, "Kimi K2 Thinking": 45.9, "GLM-4.7": 48.5, "Qwen3-235B-A22B": 41.3, "DeepSeek-V3.2": 45.7,
        "DevStral 2": 42.3,
    }  # fmt: skip
    assert {row["run"]: round(100 * row["f1"], 1) for row in found.figures["disambiguation"]} == table


def test_what_the_release_does_not_say_is_unknown(found):
    assert {row["millidollars"] for row in found.figures["cost"]} == {None}
    assert found.figures["calls_by_stage"] == []
    assert {row["result"] for row in found.figures["results"] if row["way"] == "code"} == {"correct", None}
    assert {row["faults"] for row in found.figures["faults"]} == {0}
    assert "e2e-workflow" not in found.measures


def test_patterns_come_from_the_labels_beside_the_folder(prepbench, found):
    with (prepbench / "irregularity_labels.csv").open(newline="") as file:
        labelled = [row["patterns"].split("|") for row in csv.DictReader(file)]
    for row in found.figures["profiling_gain_by_pattern"]:
        assert row["tasks"] == sum(row["pattern"] in patterns for patterns in labelled)
    assert len(found.figures["profiling_gain_by_pattern"]) == 5 * len(found.runs)


def test_one_model_is_named_after_a_colon_and_held_against_another(command_line, results):
    status, out, _ = command_line(
        "report", f"{results}:devstral-2512", "--against", f"{results}:gpt-4o-2024-11-20", "--json"
    )
    made = json.loads(out)
    assert status == 0
    assert made["runs"] == ["DevStral 2", "GPT-4o"]
    by_measure = {c["measure"]: c for c in made["comparisons"]}
    assert set(by_measure) == {"e2e-code", "codegen", "direct", "codegen-noprofile", "translate"}
    assert all(sum(c[k] for k in ("both", "only_first", "only_second", "neither")) == 306 for c in by_measure.values())


def test_all_models_are_no_run_to_be_held_against(command_line, results):
    status, _, said = command_line("report", f"{results}:devstral-2512", "--against", results)
    assert (status, "must be one run, not 10" in said) == (2, True)


def test_a_model_that_is_not_there_is_answered_with_those_that_are(command_line, results):
    status, _, said = command_line("report", f"{results}:gpt")
    assert status == 2
    assert "no model 'gpt' (has: gpt-5.1-codex-max, " in said


def test_a_single_file_is_enough_and_a_bad_word_is_named(results, tmp_path):
    shutil.copy(results / "rq4_task_status.csv", tmp_path)
    (few := tmp_path / "rq4_task_status.csv").chmod(0o644)
    made = report([tmp_path])
    assert made.measures == ("codegen", "codegen-noprofile")
    assert "gpt-4o-2024-11-20" in made.runs  # no figure's file says its name
    few.write_text(few.read_text().replace("case_003,True", "case_003,yes", 1))
    with pytest.raises(RecordError, match="full_passed of case_003 is 'yes'; wanted true or false"):
        report([tmp_path])
    few.write_text(few.read_text().replace("full_passed", "passed", 1))
    with pytest.raises(RecordError, match=r"lacks full_passed \(has: model, case, passed, profile_passed\)"):
        report([tmp_path])
