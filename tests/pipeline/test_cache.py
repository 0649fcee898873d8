import threading

import pytest

from markscheme.pipeline.cache import BoundedCache


def test_an_entry_is_made_once() -> None:
    cache: BoundedCache[str, object] = BoundedCache(2)
    first = cache.get_or_make("a", object)
    assert cache.get_or_make("a", object) is first
    assert len(cache) == 1


def test_the_entry_that_was_used_longest_ago_goes() -> None:
    cache: BoundedCache[str, str] = BoundedCache(2)
    made: list[str] = []

    def get(key: str) -> str:
        def make() -> str:
            made.append(key)
            return key.upper()

        return cache.get_or_make(key, make)

    assert [get(key) for key in "abacab"] == list("ABACAB")
    # c pushed b out, because a was used after it; then b pushed c out.
    assert made == ["a", "b", "c", "b"]
    assert len(cache) == 2


def test_a_failure_is_not_kept() -> None:
    cache: BoundedCache[str, int] = BoundedCache(2)
    with pytest.raises(ZeroDivisionError):
        cache.get_or_make("a", lambda: 1 // 0)
    assert len(cache) == 0
    assert cache.get_or_make("a", lambda: 1) == 1


def test_nothing_is_kept_where_nothing_fits() -> None:
    cache: BoundedCache[str, int] = BoundedCache(0)
    assert [cache.get_or_make("a", lambda: 1), cache.get_or_make("a", lambda: 2)] == [1, 2]
    assert len(cache) == 0


def test_two_that_make_the_same_entry_at_once_get_the_same() -> None:
    cache: BoundedCache[str, object] = BoundedCache(2)
    both_make = threading.Barrier(2, timeout=30)
    found: list[object] = []

    def make() -> object:
        both_make.wait()
        return object()

    threads = [threading.Thread(target=lambda: found.append(cache.get_or_make("a", make))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2
    assert found[0] is found[1]
