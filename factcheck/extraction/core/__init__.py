"""Proposals, the gate and the statistics, as pure Python."""
