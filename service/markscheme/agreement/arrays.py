"""Types of arrays. One entry is one decision, of a point or of an answer."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

# One figure, from how often each decision counts: (n,) of 0 and more. NaN where the figure is not defined.
Measure = Callable[[Floats], float]
UNDEFINED = float("nan")


def once(size: int) -> Floats:
    """Weights that count every decision once: (size,)."""
    return np.ones(size)
