"""What the formats of lore documents and golden queries refuse."""

from datetime import date
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.samples.articles import read_schema

DOCUMENT = {
    "slug": "moon-bridge",
    "title": "The Moon Bridge",
    "type": "place",
    "language": "en",
    "body": "Nine arches.",
}
QUERY = {"id": "arches", "query": "how many arches", "language": "en", "must_hit": ["moon-bridge"]}


def complaints(schema: str, instance: dict[str, Any]) -> list[str]:
    return [error.message for error in Draft202012Validator(read_schema(schema)).iter_errors(instance)]


def test_shortest_document_and_query_are_accepted():
    assert complaints("lore_document.schema.json", DOCUMENT) == []
    assert complaints("golden_queries.schema.json", [QUERY]) == []


@pytest.mark.parametrize(
    "change",
    [
        {"slug": "Moon Bridge"},
        {"slug": "moon--bridge"},
        {"slug": "a" * 121},
        {"title": " "},
        {"body": "\n"},
        {"type": "Place!"},
        {"language": "English"},
        {"colour": "grey"},
        {"tags": ["two words"]},
        {"tags": "river"},
        {"rule_id": "cond-1"},
        {"audience": "private"},
        {"audience": []},
        {"audience": ["everyone"]},
        {"audience": ["npc:Li Shen"]},
        {"fields": {"Built": 1123}},
        {"fields": {"built_year": None}},
        {"fields": {"opened": date(1123, 5, 1)}},
        {"fields": {"size": {"arches": 9}}},
        {"fields": {"keeper": [["li-shen"]]}},
        {"field_labels": {"built_year": "built"}},
        {"field_labels": {"built_year": []}},
        {"relations": [{"type": "located_in"}]},
        {"relations": [{"type": "located in", "to": "selmar"}]},
        {"relations": [{"type": "located_in", "to": "selmar", "note": "?"}]},
    ],
    ids=str,
)
def test_wrong_value_in_a_document_is_refused(change: dict[str, Any]):
    assert complaints("lore_document.schema.json", DOCUMENT | change)


@pytest.mark.parametrize("key", DOCUMENT)
def test_document_without_a_required_key_is_refused(key: str):
    assert complaints("lore_document.schema.json", {name: DOCUMENT[name] for name in DOCUMENT if name != key})


@pytest.mark.parametrize(
    "change",
    [
        {"id": "Arches?"},
        {"query": "   "},
        {"must_hit": []},
        {"must_hit": ["Moon Bridge"]},
        {"relevant": {"moon-bridge": 4}},
        {"relevant": {"moon-bridge": 0}},
        {"k": 0},
        {"k": 51},
        {"npc_id": "npc:li-shen"},
        {"answer": "nine"},
    ],
    ids=str,
)
def test_wrong_value_in_a_golden_query_is_refused(change: dict[str, Any]):
    assert complaints("golden_queries.schema.json", [QUERY | change])


def test_golden_query_that_only_forbids_is_accepted():
    query = {key: value for key, value in QUERY.items() if key != "must_hit"} | {"must_not_hit": ["hidden-door"]}
    assert complaints("golden_queries.schema.json", [query]) == []
