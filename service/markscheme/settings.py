"""The MARKSCHEME_* variables: names, defaults, what is allowed. Nothing is read until `load_settings` is called."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from markscheme.grading.errors import SettingsError
from markscheme.grading.profile_name import is_profile_name

PREFIX = "MARKSCHEME_"
_CGROUP = Path("/sys/fs/cgroup")
_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a setting takes, in words, for the message that a wrong value gets."""

    words: str


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _expand(value: object) -> object:
    try:
        return Path(value).expanduser() if isinstance(value, str) else value
    except RuntimeError as error:
        # A tilde with the name of nobody; pydantic passes on as a fault of the value only what is a ValueError.
        raise ValueError(str(error)) from error


def _profile_or_path(value: object) -> object:
    # `./strict` is a file and `strict` is a profile, whatever lies in the working folder.
    return value if isinstance(value, str) and is_profile_name(value) else _expand(value)


class Settings(BaseSettings):
    """Everything that can be set from outside, checked once and never changed afterwards."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid")

    home: Annotated[
        Path | None,
        BeforeValidator(_expand),
        Field(description="Folder that holds seeds, rubrics and index; unset: the checkout or the installed package"),
        Allowed("a path of a folder"),
    ] = None
    embedder: Annotated[
        str,
        Field(min_length=1, description="`minilm`, `hashing`, or a sentence-transformers model id or folder"),
        Allowed("minilm, hashing, or the id or folder of a sentence-transformers model"),
    ] = "minilm"
    verifier: Annotated[
        str,
        Field(min_length=1, description="`minilm`, `off`, `scripted`, or a CrossEncoder's or NLI model's id or folder"),
        Allowed("minilm, off, scripted, or the id or folder of a CrossEncoder or a model for inference"),
    ] = "minilm"
    # Text is the name of a profile.
    calibration: Annotated[
        Path | str | None,
        BeforeValidator(_profile_or_path),
        Field(description="Calibration profile by its name, or a calibration file; unset: the packaged one"),
        Allowed("a path of a calibration file or the name of a profile"),
    ] = None
    host: Annotated[
        str,
        Field(min_length=1, description="Address that the service listens on"),
        Allowed("a host name or an IP address"),
    ] = "127.0.0.1"
    port: Annotated[
        int,
        Field(ge=0, le=65_535, description="Port that the service listens on; 0: any free one"),
        Allowed("a whole number from 0 to 65535"),
    ] = 8000
    max_answer_chars: Annotated[
        int,
        Field(ge=1, le=1_000_000, description="Longest answer that is graded, in characters"),
        Allowed("a whole number from 1 to 1000000"),
    ] = 20_000
    max_body_bytes: Annotated[
        int,
        Field(ge=1_024, le=2**30, description="Largest request body or batch line, in bytes"),
        Allowed("a whole number from 1024 to 1073741824"),
    ] = 2**20
    threads: Annotated[
        int,
        Field(ge=0, le=1_024, description="Threads that embed; 0: as many as the process may use"),
        Allowed("a whole number from 0 to 1024"),
    ] = 0
    queue_limit: Annotated[
        int,
        Field(ge=0, le=100_000, description="Answers that may wait while others are graded; more are refused"),
        Allowed("a whole number from 0 to 100000"),
    ] = 64
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        BeforeValidator(_lower),
        Field(description="Least severe message that is logged"),
        Allowed("debug, info, warning or error"),
    ] = "info"

    @property
    def usable_threads(self) -> int:
        """`threads`, or where that is 0 the processors that this process may really use."""
        return self.threads or usable_processors()


def load_settings() -> Settings:
    """Read the environment.

    Raises:
        SettingsError: naming every variable that cannot be used, its value and what is allowed.
    """
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError("\n".join(_explain(fault["loc"], fault["input"]) for fault in error.errors())) from error


def usable_processors() -> int:
    """Processors by CPU affinity and, on Linux, by the quota of the control group; at least 1."""
    # os.cpu_count counts the machine, not what a container or taskset leaves to this process.
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _quota(_CGROUP)
    return max(1, available if quota is None else min(available, int(quota)))


def _quota(group: Path) -> float | None:
    for files in (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):
        try:
            limit, period = " ".join((group / file).read_text("ascii") for file in files).split()
            return int(limit) / int(period) if int(limit) > 0 else None
        except (OSError, ValueError, ZeroDivisionError):
            # No such group, or "max": this version of control groups sets no quota.
            continue
    return None


def _explain(location: tuple[int | str, ...], value: object) -> str:
    name = str(location[0])
    field = Settings.model_fields.get(name)
    variable = f"{PREFIX}{name.upper()}"
    words = next((entry.words for entry in field.metadata if isinstance(entry, Allowed)), None) if field else None
    shown = str(value)
    if len(shown) > _SHOWN_CHARACTERS:
        shown = f"{shown[:_SHOWN_CHARACTERS]}..."
    return f"{variable} is {shown!r}; allowed is {words}. Change it or unset it."
