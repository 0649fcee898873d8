"""A bounded store of things that are dear to make and safe to share."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """Keeps the `size` entries used last. Two threads may make the same entry at once; one of the two is kept."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get_or_make(self, key: K, make: Callable[[], V]) -> V:
        """The entry of `key`, made outside the lock where there is none. What `make` raises is not kept."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
                return self._entries[key]
        made = make()
        with self._lock:
            kept = self._entries.setdefault(key, made)
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)
        return kept

    def __len__(self) -> int:
        return len(self._entries)
