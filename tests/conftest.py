import os
import signal
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import settings

# Growth with length is measured by tests of its own; a busy machine is no fault of an example.
settings.register_profile("markscheme", deadline=None)
settings.load_profile("markscheme")

# A shell starts what it puts into the background with Ctrl-C ignored, and children inherit that; some tests send it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def seed_pages() -> list[Path]:
    """The scraped pages that users have, which are not ours to ship."""
    folder = os.environ.get("MARKSCHEME_TEST_DATA")
    if not folder:
        pytest.skip("MARKSCHEME_TEST_DATA is not set: it names a folder that holds seeds/*.txt")
    pages = sorted(Path(folder, "seeds").glob("*.txt"))
    if not pages:
        pytest.skip(f"no seeds/*.txt under MARKSCHEME_TEST_DATA ({folder})")
    return pages


@pytest.fixture(scope="session")
def redis_url() -> str:
    """A Redis server that tests may write to."""
    url = os.environ.get("MARKSCHEME_TEST_REDIS_URL")
    if not url:
        pytest.skip(
            "MARKSCHEME_TEST_REDIS_URL is not set: it names a running redis-server, as redis://127.0.0.1:6379/0"
        )
    return url


@pytest.fixture(scope="session")
def growth() -> Callable[[Callable[[int], object]], float]:
    """How much longer four times as much takes: 4 is linear, 16 quadratic. Of several runs the quickest count."""

    def measure(work: Callable[[int], object]) -> float:
        def quickest(scale: int) -> float:
            taken = []
            for _ in range(4):
                begun = time.process_time()
                work(scale)
                taken.append(time.process_time() - begun)
            return min(taken)

        return quickest(4) / max(quickest(1), 1e-6)

    return measure


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where CI is "true" everything is there, so a test that says that something is missing has failed."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true":
        needs = [name for name in ("network", "redis", "seed_pages") if item.get_closest_marker(name)]
        if needs:
            report.outcome = "failed"
            report.longrepr = f"skipped in CI, where {', '.join(needs)} must be at hand: {report.longrepr}"
    return report
