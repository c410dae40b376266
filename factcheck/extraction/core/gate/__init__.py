"""The gate: a model proposes, and only what stands in the player's own words, with its value, is taken.

Pure and deterministic: the same answer, input and rules give the same verdicts. Source: seed 002, the validator gate.
"""

from factcheck.extraction.core.gate.check import check_deltas
from factcheck.extraction.core.gate.denials import Denials
from factcheck.extraction.core.gate.rules import GateRules

__all__ = ["Denials", "GateRules", "check_deltas"]
