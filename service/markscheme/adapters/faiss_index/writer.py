"""Writing an index beside the served one, and switching to it."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from markscheme.adapters.faiss_index import manifest as on_disk
from markscheme.adapters.faiss_index.builds import Builds
from markscheme.adapters.faiss_index.files import write_files
from markscheme.adapters.faiss_index.manifest import Manifest, Probe, checksum, file_checksum
from markscheme.adapters.faiss_index.reading import open_unmatched
from markscheme.grading.embedding import Vectors
from markscheme.grading.errors import UnservableIndexError
from markscheme.pipeline.ports import Embedder, IndexedRubric, IndexWriter, RubricIndex

# Short and long, plain and technical, with what tokenisers treat differently.
_PROBES = (
    "Batch normalisation",
    "A larger batch lowers the variance of the gradient, and often generalises worse.",
    "O(n log n) at 3.5 GHz isn't the same as 10% fewer bytes!",
    "Données déséquilibrées, 学習率, naïve Bayes 🙂",
)


class FaissIndexWriter(IndexWriter):
    """Writes the index in one folder."""

    def __init__(self, root: Path) -> None:
        """Name the folder; it need not exist yet."""
        self._root = root
        self._builds = Builds(root)

    def exclusive(self) -> AbstractContextManager[None]:
        """Keeps every other build of this index away until it is left. Raises IndexBusyError, and never waits."""
        return self._builds.exclusive()

    def current(self) -> RubricIndex | None:
        """The served index, whatever it was built with, or None where there is none that can be read."""
        try:
            return open_unmatched(self._root)
        except UnservableIndexError:
            return None

    def write(self, rubrics: Iterable[IndexedRubric], questions: Vectors, embedder: Embedder, splitter: str) -> Path:
        """Write a build, switch to it, and give its folder. Where nothing at all has changed, the served one stays.

        Args:
            rubrics: in the order of their ids, embedded by `embedder`.
            questions: (n, d), one vector a rubric.
            embedder: embeds the probes that an index is checked by when it is opened.
            splitter: version of the sentence splitter that answers will be split with.

        Raises:
            IndexBusyError: another build is running.
            UnservableIndexError: the folder cannot be written; what was served is still served.
            EmbedderError: the model failed on a probe.
        """
        with self._builds.exclusive():
            try:
                return self._write(list(rubrics), questions, embedder, splitter)
            except OSError as error:
                message = f"The index cannot be written to {self._root} ({error}). Make room or set MARKSCHEME_HOME."
                raise UnservableIndexError(message) from error

    def _write(self, rubrics: list[IndexedRubric], questions: Vectors, embedder: Embedder, splitter: str) -> Path:
        folder = self._builds.start()
        entries = write_files(folder, rubrics, questions, embedder.dimension)
        probes = zip(_PROBES, embedder.embed(_PROBES), strict=True)
        content = Manifest(
            embedder=embedder.fingerprint,
            dimension=embedder.dimension,
            splitter=splitter,
            files={name: file_checksum(folder / name) for name in on_disk.FILES},
            questions=entries,
            probes=tuple(Probe(text, tuple(embedding.vector.tolist())) for text, embedding in probes),
        ).to_bytes()
        (folder / on_disk.MANIFEST).write_bytes(content)
        digest = checksum(content)
        if self._builds.serves(digest) and self.current():
            self._builds.discard(folder)
            return self._builds.current()
        return self._builds.switch(folder, digest)
