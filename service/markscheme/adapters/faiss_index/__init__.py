"""The built index: how it lies on disk, how it is switched, written, read and searched with FAISS."""
