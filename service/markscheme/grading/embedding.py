"""What a model gives for one text: one vector for the whole, and one for each token in its context."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """One text, embedded.

    vector:  (d,) float32, unit length, or all zeros for a text without tokens.
    tokens:  (t, d) float32, one unit vector a token, special tokens left out.
    offsets: (t, 2) int32, where each token stands in the text, in characters, end exclusive.
    rarity:  (t,) float32 in 0..1: how rare the token is in the language, 1 the rarest.
    """

    vector: Vectors
    tokens: Vectors
    offsets: NDArray[np.int32]
    rarity: Vectors

    @property
    def without_vectors(self) -> "Embedding":
        """The same with vectors of no width, for who keeps many texts that were compared: the rest is small."""
        return replace(self, vector=np.zeros(0, np.float32), tokens=np.zeros((len(self.tokens), 0), np.float32))
