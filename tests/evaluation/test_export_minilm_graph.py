import subprocess
import sys
from pathlib import Path

from markscheme.adapters.onnx_models.minilm import minilm_files

PROGRAM = Path(__file__).parents[2] / "evaluation" / "export_minilm_graph.py"


def test_the_committed_graph_is_what_the_program_writes(tmp_path: Path) -> None:
    out = tmp_path / "graph.onnx"
    subprocess.run([sys.executable, PROGRAM, "--out", out], check=True, capture_output=True)
    assert out.read_bytes() == minilm_files().graph.read_bytes()


def test_the_committed_graph_holds_no_weights() -> None:
    assert minilm_files().graph.stat().st_size < 110_000
