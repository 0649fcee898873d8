from collections.abc import Callable

import pytest

from markscheme.adapters.wire import read_json


@pytest.fixture(scope="session")
def json_reader() -> Callable[[bytes | str], object]:
    """The reader that the command line hands in."""
    return read_json
