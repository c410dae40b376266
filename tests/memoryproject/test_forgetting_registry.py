"""Every store that keeps something of players hears when it must forget: one list, held against what apps joined."""

from memoryproject.forgetting import registry
from memoryproject.forgetting.registry import DeletedFacts, list_subscribers, purge_fact_stores, register_fact_store

SUBSCRIBERS = {
    "messages": [
        "contradicted_claims", "extraction", "labelling", "lorebook_states", "notebooks", "queries_without_hits",
        "query_vectors", "session_memory", "store", "threads", "traces",
    ],
    "facts": ["extraction", "labelling", "traces"],
    "names": ["notebooks", "store", "threads", "traces"],
    "orders": [
        "contradicted_claims", "extraction", "labelling", "lorebook_states", "notebooks", "store", "threads", "traces",
    ],
    "withdrawals": ["contradicted_claims", "events", "extraction", "lorebook_states", "session_memory", "traces"],
}  # fmt: skip
"""Whoever adds or drops one says so here."""


def test_every_subscriber_is_listed():
    assert list_subscribers() == SUBSCRIBERS


def test_who_joins_is_listed_and_asked(monkeypatch):
    monkeypatch.setattr(registry, "_fact_stores", {})
    asked = []
    register_fact_store("made_up", lambda deleted: asked.append(deleted) or len(deleted.fact_ids))
    deleted = DeletedFacts(tenant_id=1, end_user_id=2, fact_ids=(3, 4))
    assert purge_fact_stores(deleted) == {"made_up": 2}
    assert asked == [deleted]
    assert list_subscribers()["facts"] == ["made_up"]
