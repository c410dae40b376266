"""One declaration an operation: what it reads, and what the OpenAPI document says of it."""

from __future__ import annotations

from typing import Annotated, NotRequired

import pytest
from drf_spectacular.utils import OpenApiResponse
from pydantic import BaseModel, ValidationError
from typing_extensions import TypedDict

from memoryproject.errors import NotFoundError
from memoryproject.rest.errors import InvalidParameter
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import NumberParameter, Parameters
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER, group_problems
from memoryproject.rest.typed_dicts import build_example, member
from tenancy.api.views import MachineView


class Bell(TypedDict):
    """A bell."""

    name: Annotated[str, member("The Mute Bell")]
    weight: NotRequired[Annotated[float | None, member(description="In kilograms.")]]


class Bells(TypedDict):
    """All bells."""

    bells: list[Bell]
    next_after: Annotated[str | None, member(None)]


class Scales(TypedDict):
    """Two examples that are equal and not the same."""

    counted: Annotated[float, member(1)]
    weighed: Annotated[float, member(1.0)]


class Nameless(TypedDict):
    """Without an example."""

    name: str


class UnknownBell(NotFoundError):
    """No such bell."""

    code = "bell_not_found"
    example = "There is no bell 7."


class Tower(BaseModel):
    """A tower."""

    height: int


def test_an_example_is_put_together_from_those_of_members():
    assert build_example(Bells) == {"bells": [{"name": "The Mute Bell"}], "next_after": None}
    assert build_example(Bells, next_after="b")["next_after"] == "b"


def test_members_with_equal_examples_keep_their_own():
    assert [repr(example) for example in build_example(Scales).values()] == ["1", "1.0"]


def test_a_member_without_an_example_is_refused():
    with pytest.raises(TypeError, match=r"Nameless\.name has no example"):
        reply(Nameless)


def test_an_example_of_a_model_must_fit_it():
    with pytest.raises(ValidationError):
        reply(Tower, {"height": "very"})
    assert isinstance(reply(Tower, {"height": 9}), OpenApiResponse)


def test_errors_are_grouped_by_status_with_their_own_detail():
    assert group_problems((UnknownBell, {400: {"parse_error": "No."}})) == {
        404: {"bell_not_found": "There is no bell 7."},
        400: {"parse_error": "No."},
    }


def test_an_error_without_an_example_is_refused():
    with pytest.raises(TypeError, match="NotFoundError has no example"):
        group_problems(NotFoundError)


class BellsView(MachineView):
    """`bells`."""

    @operation(
        "bells_list",
        "Bells",
        Bells,
        UnknownBell,
        parameters=Parameters((NumberParameter("limit", "How many.", 5, 1, 9, default=5),)),
        headers=(IDEMPOTENCY_HEADER,),
    )
    def get(self, request):
        """List bells.

        Those that
        ring.
        """
        return self.values


class Sent:
    """A request with nothing but a query."""

    def __init__(self, **query):
        self.query_params = type("Query", (dict,), {"getlist": lambda self, name: [self[name]]})(query)


def test_what_is_declared_is_read_before_the_method_runs():
    view = BellsView()
    assert view.get(Sent()) == {"limit": 5}
    assert view.get(Sent(limit="3")) == {"limit": 3}
    with pytest.raises(InvalidParameter):
        view.get(Sent(limit="10"))
    with pytest.raises(InvalidParameter):
        view.get(Sent(page="1"))
