"""What a machine offers to the tests, and what becomes of tests where it does not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import redis


@pytest.mark.redis
def test_the_redis_server_answers(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url, socket_timeout=5) as client:
        assert client.ping() is True


def run_the_redis_test(repository: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "MARKSCHEME_TEST_REDIS_URL"}
    test = f"{__file__}::{test_the_redis_server_answers.__name__}"
    options = ["--config-file", str(repository / "pyproject.toml"), "-p", "no:cacheprovider"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, test],
        env={**environment, **changes},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_server_the_test_says_so(repository: Path) -> None:
    done = run_the_redis_test(repository, CI="")
    assert done.returncode == 0
    assert "MARKSCHEME_TEST_REDIS_URL is not set" in done.stdout
    assert "1 skipped" in done.stdout


def test_in_ci_a_missing_server_is_a_failure(repository: Path) -> None:
    done = run_the_redis_test(repository, CI="true")
    assert done.returncode == 1
    assert "skipped in CI, where redis must be at hand" in done.stdout
