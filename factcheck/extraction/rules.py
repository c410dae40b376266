"""The rules that the gate decides by now."""

from __future__ import annotations

from factcheck.extraction.core.gate import GateRules
from factcheck.extraction.models import ExtractionRun
from factcheck.extraction.selectors.buckets import list_untrusted_buckets
from factcheck.extraction.selectors.sampling import name_version
from factcheck.instant.registry import get_compiled


def get_gate_rules(*, tenant_id: int, end_user_id: int, version: str = "") -> GateRules:
    """Patterns, concepts and anchors as they are served, for a player: without pattern sets that the tenant switched
    off.

    `version` is that of a model and its prompt (`name_version`): confidences that labels proved wrong count nothing.
    """
    served = get_compiled()
    return GateRules(
        patterns=served.patterns,
        concepts=served.concepts,
        pattern_sets_off=served.pattern_sets_off.get(tenant_id, frozenset()),
        user_key=f"{tenant_id}/{end_user_id}",
        muted_buckets=list_untrusted_buckets(tenant_id, version) if version else frozenset(),
    )


def get_run_rules(run: ExtractionRun) -> GateRules:
    """The rules for a run."""
    return get_gate_rules(tenant_id=run.tenant_id, end_user_id=run.end_user_id, version=name_version(run))
