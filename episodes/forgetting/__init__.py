"""Forgetting and erasure, with receipts: what goes, what it takes with it, and the proof."""
