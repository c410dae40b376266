"""Reads for fact checking: what canon says of a claim, and the patterns that messages are read with."""

from factcheck.selectors.claims import find_source, list_contradicted_claims, list_named_subjects

__all__ = ["find_source", "list_contradicted_claims", "list_named_subjects"]
