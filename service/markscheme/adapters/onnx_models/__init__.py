"""Embedding with onnxruntime: the model's files, its tokens, its session, and the embedder over all three."""
