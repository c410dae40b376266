"""What is written once and referred to means what it meant where it stood."""

from __future__ import annotations

import copy

import pytest
from django.conf import settings
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import patched_settings

from memoryproject.openapi_components import share_components
from tests.openapi import inline_components

SHARE = "memoryproject.openapi_components.share_components"
HOOKS = settings.SPECTACULAR_SETTINGS["POSTPROCESSING_HOOKS"]
MAX_BYTES_AN_OPERATION = 6_300
"""About 5 % more than today: parts that repeat belong under `components`."""


@pytest.fixture(scope="module")
def spelled_out():
    """The document as operations declare it, each with all its parts."""
    with patched_settings({"POSTPROCESSING_HOOKS": [hook for hook in HOOKS if hook != SHARE]}):
        return SchemaGenerator().get_schema(request=None, public=True)


@pytest.fixture(scope="module")
def shared(spelled_out):
    return share_components(copy.deepcopy(spelled_out))


def drop_labels(part):
    """Without titles and summaries of examples, which may repeat a name."""
    if isinstance(part, list):
        return [drop_labels(each) for each in part]
    if not isinstance(part, dict):
        return part
    is_example = "value" in part
    return {
        name: drop_labels(each)
        for name, each in part.items()
        if not (name == "title" and isinstance(each, str)) and not (name == "summary" and is_example)
    }


def test_every_operation_says_what_it_said_before(spelled_out, shared):
    before, after = inline_components(spelled_out), inline_components(shared)
    assert list(before["paths"]) == list(after["paths"])
    for path, operations in before["paths"].items():
        for method, operation in operations.items():
            assert drop_labels(after["paths"][path][method]) == drop_labels(operation), f"{method} {path}"


def test_every_schema_says_what_it_said_before(spelled_out, shared):
    for name, schema in spelled_out["components"]["schemas"].items():
        assert drop_labels(shared["components"]["schemas"][name]) == drop_labels(schema), name


def test_what_repeats_is_referred_to(shared):
    operation = shared["paths"]["/api/v1/lore/search"]["get"]
    assert {"$ref": "#/components/parameters/X-Site-ID"} in operation["parameters"]
    assert operation["responses"]["401"] == {"$ref": "#/components/responses/problem_401"}
    assert "security" not in operation
    body = shared["paths"]["/api/v1/context"]["post"]["requestBody"]["content"]["application/json"]
    assert body["schema"] == {"$ref": "#/components/schemas/ContextPackBody"}
    examples = shared["components"]["responses"]["problem_401"]["content"]["application/problem+json"]["examples"]
    assert examples["ApiKeyRevoked"] == {"$ref": "#/components/examples/ApiKeyRevoked"}


def test_titles_that_repeat_a_name_are_left_out_and_others_stay():
    document = {
        "paths": {},
        "components": {
            "schemas": {
                "Card": {
                    "title": "Card",
                    "type": "object",
                    "properties": {
                        "created_at": {"title": "Created At", "type": "string"},
                        "title": {"title": "What it is called", "type": "string", "examples": [{"title": "Title"}]},
                    },
                }
            }
        },
    }
    assert share_components(document)["components"]["schemas"]["Card"] == {
        "type": "object",
        "properties": {
            "created_at": {"type": "string"},
            "title": {"title": "What it is called", "type": "string", "examples": [{"title": "Title"}]},
        },
    }


def test_the_document_grows_with_its_operations_only(shared):
    stored = (settings.BASE_DIR / "docs" / "openapi.yaml").stat().st_size
    operations = sum(len(operations) for operations in shared["paths"].values())
    assert stored / operations < MAX_BYTES_AN_OPERATION
