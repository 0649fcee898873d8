import subprocess
import sys
from pathlib import Path

import pytest
import torch
from average_verifiers import average

PROGRAM = Path(__file__).parents[2] / "evaluation" / "average_verifiers.py"


def test_the_mean_keeps_names_and_precision() -> None:
    found = average([{"a": torch.tensor([1.0, 3.0])}, {"a": torch.tensor([2.0, 5.0])}])
    assert found["a"].tolist() == [1.5, 4.0]
    assert found["a"].dtype == torch.float32


def test_verifiers_of_different_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="different tensors"):
        average([{"a": torch.zeros(1)}, {"b": torch.zeros(1)}])


def test_the_program_reads_and_writes(tmp_path: Path) -> None:
    for number in (1, 2, 6):
        torch.save({"a": torch.full((2,), float(number))}, tmp_path / f"{number}.pt")
    inputs = [str(tmp_path / f"{number}.pt") for number in (1, 2, 6)]
    subprocess.run([sys.executable, PROGRAM, *inputs, tmp_path / "mean.pt"], check=True)
    assert torch.load(tmp_path / "mean.pt", weights_only=True)["a"].tolist() == [3.0, 3.0]
