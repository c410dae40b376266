"""Writes of the canon. Only these touch its tables."""

from knowledge.canon.actions.build import build_release, retry_release
from knowledge.canon.actions.discard import discard_release
from knowledge.canon.actions.domain_indexes import allow_canary, ensure_domain_index, set_canary_percent
from knowledge.canon.actions.embeddings import embed_passage_backlog, embed_pending_passages, retry_failed_embeddings
from knowledge.canon.actions.heartbeat import beat_release, give_up_release
from knowledge.canon.actions.start import start_release
from knowledge.canon.actions.swap import publish_release, record_gate, roll_back
from knowledge.canon.actions.vector_indexes import ensure_vector_index
from knowledge.canon.core.edits import Edit

__all__ = [
    "Edit",
    "allow_canary",
    "beat_release",
    "build_release",
    "discard_release",
    "embed_passage_backlog",
    "embed_pending_passages",
    "ensure_domain_index",
    "ensure_vector_index",
    "give_up_release",
    "publish_release",
    "record_gate",
    "retry_failed_embeddings",
    "retry_release",
    "roll_back",
    "set_canary_percent",
    "start_release",
]
