"""Reads of user facts."""

from knowledge.facts.selectors.facts import (
    FactPlace,
    FactView,
    find_active_fact,
    get_fact,
    list_corrections,
    list_erased,
    list_fact_history,
    list_fact_places,
    list_facts,
    list_facts_from,
    list_facts_said_by,
    map_facts,
    map_superseded,
)

__all__ = [
    "FactPlace",
    "FactView",
    "find_active_fact",
    "get_fact",
    "list_corrections",
    "list_erased",
    "list_fact_history",
    "list_fact_places",
    "list_facts",
    "list_facts_from",
    "list_facts_said_by",
    "map_facts",
    "map_superseded",
]
