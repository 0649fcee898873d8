"""Adapters: one library each, joined to the pipeline in bootstrap and nowhere else."""
