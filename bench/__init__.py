"""Benchmarks. Each prints ratios against a baseline of the same run, and says which fall short."""
