"""The check of declared problems notices what an operation does not declare."""

from __future__ import annotations

import json

import pytest
from django.test import RequestFactory
from django.urls import resolve

from memoryproject.problems import Problem
from tests import declared_problems
from tests.declared_problems import DeclaredProblemsMiddleware


@pytest.mark.parametrize(
    ("code", "noticed"),
    [("not_author", ["GET api/v1/graph/entities/{entity_id} answered 409 not_author, which it does not declare"]),
     ("entity_not_found", []), ("rate_limited", []), ("method_not_allowed", [])],
)  # fmt: skip
def test_a_problem_that_is_not_declared_is_noticed(code, noticed):
    request = RequestFactory().get("/api/v1/graph/entities/7")
    request.resolver_match = resolve(request.path)
    answer = Problem(409, code, "It can't be.").to_http()
    assert DeclaredProblemsMiddleware(lambda _: answer)(request) is answer
    told, declared_problems.UNDECLARED[:] = list(declared_problems.UNDECLARED), []
    assert json.loads(answer.content)["code"] == code
    assert told == noticed
