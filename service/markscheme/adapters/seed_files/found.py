"""What one seed document holds, before it is known to be whole."""

from dataclasses import dataclass, field

from markscheme.grading.errors import Fault
from markscheme.pipeline.ports import SeedQuestion


@dataclass(slots=True)
class Found:
    """Questions, and everything that is wrong with the document."""

    file: str
    questions: list[SeedQuestion] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, line: int, message: str) -> None:
        """Note a fault; `line` counts from 1."""
        self.faults.append(Fault(self.file, line, message))


def stripped_block(lines: list[str]) -> str:
    """Lines as one text, word for word, without the empty lines around it."""
    return "".join(lines).strip("\r\n").rstrip()
