from pathlib import Path
from typing import Any

from figures import FOLDS, steps
from quality_table import COLUMNS, ENTRIES, rows


def told(accuracy: float, *, low: float | None = None) -> dict[str, Any]:
    figure = {"value": accuracy, "low": low, "high": None if low is None else accuracy + 0.1}
    curve = {"sorted_by": "points", "steps": [{"set_aside": 0.0, "value": 0.5}, {"set_aside": 0.2, "value": 0.75}]}
    figures = {"markscheme": {"accuracy": figure}, "word_overlap": {"accuracy": figure}, "cosine": {}}
    return {"answers": 1250, "figures": figures, "risk_coverage": [curve]}


def test_a_row_has_every_variant_the_interval_and_the_baselines() -> None:
    found = dict(zip(COLUMNS, (told(0.8, low=0.7), told(0.6), told(0.7)), strict=True))
    accuracy, *_, sure = rows(ENTRIES[0], found)
    assert accuracy == ["REALSumm", "1,250", "accuracy", "0.800", "0.600", "0.700", "0.700 to 0.900", "0.800", "-"]
    assert sure[2:6] == ["accuracy without the least sure 20%", "0.750", "0.750", "0.750"]


def test_a_figure_that_is_not_told_is_a_dash() -> None:
    found = dict.fromkeys(COLUMNS, told(0.8))
    kappa = rows(ENTRIES[0], found)[1]
    assert kappa[2:] == ["kappa", "-", "-", "-", "-", "-", "-"]


def test_every_step_writes_into_the_work_folder_and_comes_after_what_it_reads(tmp_path: Path) -> None:
    planned = steps(Path("data"), tmp_path)
    outputs = [output for output, _ in planned]
    assert all(output.is_relative_to(tmp_path) for output in outputs)
    assert len(set(outputs)) == len(outputs) == 4 + 3 * FOLDS
    for place, (output, command) in enumerate(planned):
        read = {Path(word) for word in command if word.startswith(str(tmp_path))} - {output, tmp_path}
        assert read <= set(outputs[:place])
