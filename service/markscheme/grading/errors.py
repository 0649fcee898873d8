"""Every error that Markscheme raises on purpose.

    MarkschemeError                code
    ├── InputError                 invalid_input             the caller's request cannot be graded as it stands
    │   ├── UnknownQuestionError   unknown_question          no rubric has that id
    │   ├── UnknownProfileError    unknown_profile           no calibration profile has that name
    │   ├── UnusableProfileError   unusable_profile          a calibration profile of that name cannot be used here
    │   ├── AnswerTooLongError     answer_too_long           over the limit; nothing was cut off
    │   ├── EmptyRubricError       empty_rubric              no gradable point in what was given
    │   └── MalformedJsonError     malformed_json            not one JSON value in UTF-8
    ├── ContentError               invalid_content           a seed or rubric file cannot be read; lists every fault
    ├── UnservableIndexError       index_unservable          the built index cannot be served
    │   ├── IndexMissingError      index_missing             nothing was built yet
    │   ├── IndexDamagedError      index_damaged             a checksum or a shape does not agree
    │   ├── IndexMismatchError     index_mismatch            built with another model or splitter
    │   └── IndexBusyError         index_busy                another build is writing it
    ├── EmbedderError              embedder_unavailable      the embedding model cannot be loaded or gave no vector
    ├── VerifierError              verifier_unavailable      the verifier cannot be loaded or gave no probability
    ├── CalibrationRefusedError    calibration_refused       the graded answers cannot carry a calibration
    └── SettingsError              invalid_settings          a MARKSCHEME_* variable cannot be used

A message says what is wrong, where, and what to do. `code` is stable: clients may switch on it.
"""

from dataclasses import dataclass
from typing import ClassVar


class MarkschemeError(Exception):
    """The root. `code` names the kind for machines; the message is for people."""

    code: ClassVar[str] = "error"


class InputError(MarkschemeError):
    """A request that cannot be graded.

    `pointer` is the JSON pointer of the field at fault ('' is the whole), `answer_id` the caller's own id of the
    answer where it could be read, and `others` are the further faults of the same request.
    """

    code: ClassVar[str] = "invalid_input"

    def __init__(
        self, message: str, *, pointer: str = "", answer_id: str | None = None, others: "tuple[InputError, ...]" = ()
    ) -> None:
        super().__init__(message)
        self.pointer = pointer
        self.answer_id = answer_id
        self.others = others


class UnknownQuestionError(InputError):
    """No rubric in the index has the id that was asked for."""

    code: ClassVar[str] = "unknown_question"


class UnknownProfileError(InputError):
    """No calibration profile has the name that was asked for."""

    code: ClassVar[str] = "unknown_profile"


class UnusableProfileError(InputError):
    """The calibration profile that was asked for is broken, or does not go with the verifier in use.

    `details` is for whoever runs the service: the file, and all that is wrong with it. No request is answered with it.
    """

    code: ClassVar[str] = "unusable_profile"

    def __init__(self, message: str, *, pointer: str = "", details: str = "") -> None:
        super().__init__(message, pointer=pointer)
        self.details = details


class AnswerTooLongError(InputError):
    """The answer is over the limit. It is refused whole, never cut."""

    code: ClassVar[str] = "answer_too_long"


class EmptyRubricError(InputError):
    """The sample answer or list of points holds nothing that can be graded."""

    code: ClassVar[str] = "empty_rubric"


class MalformedJsonError(InputError):
    """The bytes are not JSON that everyone reads alike: broken, not UTF-8, a key twice, NaN, or nested without end."""

    code: ClassVar[str] = "malformed_json"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in one file; `line` counts from 1, and is None where no line can be named."""

    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}"


class ContentError(MarkschemeError):
    """Seeds or rubrics that cannot be read. Carries every fault of every file, not the first one."""

    code: ClassVar[str] = "invalid_content"

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = tuple(faults)


class UnservableIndexError(MarkschemeError):
    """The index cannot be served as it is."""

    code: ClassVar[str] = "index_unservable"


class IndexMissingError(UnservableIndexError):
    """Nothing has been built yet."""

    code: ClassVar[str] = "index_missing"


class IndexDamagedError(UnservableIndexError):
    """A file is missing, or differs from what the manifest says of it."""

    code: ClassVar[str] = "index_damaged"


class IndexMismatchError(UnservableIndexError):
    """The index was built with another model, splitter or layout than the one that would read it."""

    code: ClassVar[str] = "index_mismatch"


class IndexBusyError(UnservableIndexError):
    """Another process is building the index; what was served before is still served."""

    code: ClassVar[str] = "index_busy"


class EmbedderError(MarkschemeError):
    """The embedding model cannot be loaded, or gave something that is no unit vector."""

    code: ClassVar[str] = "embedder_unavailable"


class VerifierError(MarkschemeError):
    """The verifier cannot be loaded, or gave something that is no probability."""

    code: ClassVar[str] = "verifier_unavailable"


class CalibrationRefusedError(MarkschemeError):
    """The graded answers are too few, too alike or too contrary to fit anything that would hold for others."""

    code: ClassVar[str] = "calibration_refused"


class SettingsError(MarkschemeError):
    """A setting cannot be used."""

    code: ClassVar[str] = "invalid_settings"
