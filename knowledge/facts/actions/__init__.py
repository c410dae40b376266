"""Writes of user facts."""

from knowledge.facts.actions.corrections import (
    Correction,
    deactivate_fact,
    delete_fact_by_hand,
    dispute_fact,
    record_forgotten_fact,
    record_unmatched_correction,
    restore_fact,
    supersede_fact,
)
from knowledge.facts.actions.endings import (
    clear_correction_reasons,
    delete_fact,
    erase_facts,
    erase_versions,
    expire_facts,
    forget_facts,
    withdraw_proofs,
)
from knowledge.facts.actions.key_rotation import register_rotation, rotate_fact_keys, rotate_rows
from knowledge.facts.actions.rebuild import (
    RebuiltFact,
    end_unsupported_facts,
    put_facts,
    put_proofs,
    replace_neighbour,
    settle_dispute,
)
from knowledge.facts.actions.writes import (
    AppliedFact,
    add_neighbour,
    apply_fact,
    apply_facts,
    apply_facts_under_lock,
)

__all__ = [
    "AppliedFact",
    "Correction",
    "RebuiltFact",
    "add_neighbour",
    "apply_fact",
    "apply_facts",
    "apply_facts_under_lock",
    "clear_correction_reasons",
    "deactivate_fact",
    "delete_fact",
    "delete_fact_by_hand",
    "dispute_fact",
    "end_unsupported_facts",
    "erase_facts",
    "erase_versions",
    "expire_facts",
    "forget_facts",
    "put_facts",
    "put_proofs",
    "record_forgotten_fact",
    "record_unmatched_correction",
    "register_rotation",
    "replace_neighbour",
    "restore_fact",
    "rotate_fact_keys",
    "rotate_rows",
    "settle_dispute",
    "supersede_fact",
    "withdraw_proofs",
]
