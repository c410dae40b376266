"""The rules that the gate decides by now."""

from __future__ import annotations

from factcheck.extraction.core.gate import GateRules
from factcheck.registry import get_compiled


def get_gate_rules(*, tenant_id: int, end_user_id: int) -> GateRules:
    """Patterns, concepts and anchors as they are served, for a player: without packs that the tenant switched off."""
    version = get_compiled()
    return GateRules(
        patterns=version.patterns,
        concepts=version.concepts,
        packs_off=version.packs_off.get(tenant_id, frozenset()),
        user_key=f"{tenant_id}/{end_user_id}",
    )
