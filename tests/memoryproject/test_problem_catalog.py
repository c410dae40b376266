"""Every code that can be raised has an entry, a page, and its line in the documents."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.test import Client

from memoryproject.errors import DomainError
from memoryproject.problem_catalog import RETRIES, UNLISTED_TYPE, build_type_uri, load_catalog, render_markdown
from memoryproject.problems import STATUS_BY_KIND
from tests.openapi import load_openapi

ROOT = Path(__file__).resolve().parents[2]
APPS = ("memoryproject", "tenancy", "knowledge", "npcs", "episodes", "factcheck", "reviews", "runtime", "devtools")


def list_error_classes(base=DomainError):
    for each in base.__subclasses__():
        yield each
        yield from list_error_classes(each)


def list_raised_codes():
    """Codes that are given where something is raised or described, from the source."""
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    yield from read_codes(node)


def read_codes(call):
    """The literal codes of one call: by keyword, or the second argument of a problem document.

    Conditions have none, and those of languages are of another kind.
    """
    if getattr(call.func, "id", "") in ("Q", "Language"):
        return []
    given = [keyword.value for keyword in call.keywords if keyword.arg == "code"]
    if getattr(call.func, "id", "") == "Problem" and len(call.args) > 2:
        given.append(call.args[1])
    return [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def test_every_error_class_is_in_the_catalog_with_its_status():
    catalog = load_catalog()
    classes = [each for each in list_error_classes() if each.__module__.split(".")[0] in APPS]
    assert len(classes) > 100
    for each in classes:
        assert each.code in catalog, each
        if not each.code.startswith("api_key_"):
            assert catalog[each.code].status == STATUS_BY_KIND[each.kind], each


def test_no_error_is_raised_under_another_code_than_that_of_its_class():
    named = {each.__name__ for each in list_error_classes()} | {"DomainError"}
    named.remove("PatternRefused")  # it has the code of the first reason
    calls = [
        (path.relative_to(ROOT), node.lineno)
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in named
        and any(keyword.arg == "code" for keyword in node.keywords)
    ]
    assert calls == []


def test_every_code_given_where_something_is_raised_is_in_the_catalog():
    raised = set(list_raised_codes()) - {""}  # of a row that has no code
    assert len(raised) > 20
    assert raised <= set(load_catalog()), sorted(raised - set(load_catalog()))


def test_every_code_of_the_openapi_document_is_in_the_catalog_with_its_status():
    problems = [each["value"] for each in load_openapi()["components"]["examples"].values()]
    assert len(problems) > 100
    for problem in problems:
        assert problem["status"] == load_catalog()[problem["code"]].status, problem
        assert problem["type"] == build_type_uri(problem["code"])


def test_entries_are_sentences():
    for entry in load_catalog().values():
        assert entry.retry in RETRIES, entry
        for text in (entry.cause, entry.action):
            assert text[0].isupper() or text[0] == "`", entry
            assert text.endswith("."), entry
            assert "|" not in text, entry


def test_the_document_is_that_of_the_catalog():
    assert (ROOT / "docs" / "errors.md").read_text(encoding="utf-8") == render_markdown()


@pytest.mark.parametrize("code", ["rate_limited", "fact_protected"])
def test_a_code_has_a_page(code):
    page = Client().get(build_type_uri(code))
    assert page.status_code == 200
    told = page.content.decode()
    assert load_catalog()[code].retry_text.replace("`", "") in told.replace("`", "")
    assert f'href="/problems/{code}"' in Client().get("/problems/").content.decode()


def test_an_unknown_code_has_neither_page_nor_type():
    assert Client().get("/problems/nothing_of_this_name").status_code == 404
    assert build_type_uri("nothing_of_this_name") == UNLISTED_TYPE


@pytest.mark.django_db
def test_the_type_of_an_answer_leads_to_its_page():
    refused = Client().get("/api/v1/status")
    assert refused.json()["type"] == "/problems/api_key_missing"
    assert Client().get(refused.json()["type"]).status_code == 200
