"""The OpenAPI document and the pages that show it."""

from __future__ import annotations

import ast
import re
from collections import Counter

import pytest
import yaml
from django.conf import settings
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer

from memoryproject.version import get_version
from tests.openapi import inline_components
from tests.tree import APPS, ROOT

STREAM, STREAMED = "text/event-stream", ("post /api/v1/npc/chat", "200")
"""What may be answered beside JSON, and by which operation."""
FILES = {"image/png"}
"""What an operation may answer instead of JSON; its bytes have no example."""


@pytest.fixture(scope="module")
def document():
    """The OpenAPI document as the code describes it now."""
    return SchemaGenerator().get_schema(request=None, public=True)


def test_the_document_in_the_repository_is_the_one_of_the_code(document):
    stored = (settings.BASE_DIR / "docs" / "openapi.yaml").read_text(encoding="utf-8")
    assert OpenApiYamlRenderer().render(document).decode() == stored, (
        "run: manage.py spectacular --file docs/openapi.yaml"
    )


def test_the_service_serves_the_document(db, document):
    response = Client().get("/api/schema/")
    assert response.status_code == 200
    assert set(yaml.load(response.content, Loader=yaml.CSafeLoader)["paths"]) == set(document["paths"])


def test_the_document_names_its_server_and_the_version_of_the_service(document):
    assert document["info"]["version"] == get_version()
    assert [server["url"] for server in document["servers"]] == ["/"]


def operations(document):
    for path, methods in inline_components(document)["paths"].items():
        for method, operation in methods.items():
            yield f"{method} {path}", operation


def test_every_operation_is_named_tagged_and_summed_up(document):
    names = [operation["operationId"] for _, operation in operations(document)]
    assert len(names) == len(set(names))
    for route, operation in operations(document):
        assert operation["summary"], route
        assert len(operation["tags"]) == 1, route
        assert {"bearerKey": []} in operation["security"], route


def test_every_operation_has_examples_and_its_errors_as_problems(document):
    for route, operation in operations(document):
        for status, response in operation["responses"].items():
            if status == "304":
                assert "content" not in response, route
                continue
            [media_type, *streams] = response["content"]
            assert streams == ([STREAM] if (route, status) == STREAMED else []), (route, status)
            assert all(response["content"][each]["examples"] for each in streams)
            if media_type in FILES:
                assert status == "200", route
                continue
            wanted = "application/json" if status.startswith("2") else "application/problem+json"
            assert media_type == wanted, (route, status)
            assert response["content"][wanted]["examples"], (route, status)
        assert {"400", "401", "403", "404", "406", "429", "503"} <= set(operation["responses"]), route
        for parameter in operation["parameters"]:
            assert parameter["examples"], (route, parameter["name"])
        if "requestBody" in operation:
            assert operation["requestBody"]["required"] or route.endswith(
                ("/preference", "/dry-run", "/checkpoints/search", "/threads/{thread_id}")
            ), route
            assert operation["requestBody"]["content"]["application/json"]["examples"], route
            assert {"413", "415"} <= set(operation["responses"]), route


def test_no_two_shapes_have_one_name(document):
    """A component is known by its name alone: of two shapes of one name the document would show one."""
    named = Counter(name for app in APPS for path in (ROOT / app).rglob("*.py") for name in list_classes(path))
    shapes = set(document["components"]["schemas"])
    assert {name for name in shapes if named[name] > 1} == set()


def list_classes(path):
    """The classes of a module that declares what REST takes and answers."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if not {"api", "rest", "shapes"} & set(parts):
        return []
    return [node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)]


def test_swagger_works_without_the_internet(db):
    response = Client().get("/api/docs/")
    assert response.status_code == 200
    loaded = re.findall(r'(?:src|href)="([^"]+)"', response.content.decode())
    assert loaded
    assert all(address.startswith(("/", "data:")) for address in loaded), loaded
