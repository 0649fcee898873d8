"""Any sentence-transformers CrossEncoder or text-classification model as the verifier; torch runs in this process.

A model takes part as it is published: its labels are read from its config.json, and nothing about it is guessed.
"""
