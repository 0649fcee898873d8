"""Other embedding models: loaded with sentence-transformers and exported to ONNX once, when an index is built.

An export is a folder with `model.onnx` (`ids` (b, t) int64 in, `hidden` (b, t, d) float32 out), `tokenizer.json` and
`model.json` (name, pooling, max_length), which is written last.
"""
