"""Shapes filled from rows, lists cut into pages, forms of bodies."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Annotated

import pytest
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from memoryproject.rest.bodies import Body
from memoryproject.rest.errors import InvalidBody
from memoryproject.rest.forms import form, text
from memoryproject.rest.operations import reply
from memoryproject.rest.shapes import answer, cut_page, fill
from memoryproject.rest.typed_dicts import Time, build_example, member


class Bell(TypedDict):
    """A bell."""

    bell_id: int
    name: str
    cast_at: Time


class Tower(BaseModel):
    """A tower."""

    model_config = ConfigDict(populate_by_name=True)

    name: Annotated[str, member("The Mute Tower")]
    built_at: Annotated[dt.datetime, member("2026-03-02T10:00:00Z")]
    form: Annotated[str, Field(alias="schema"), member("round")]
    note: str = ""


@dataclass
class Row:
    """What a database would give."""

    pk: int
    name: str = "The Mute Bell"
    cast_at: dt.datetime = dt.datetime(2026, 3, 2, 10, tzinfo=dt.UTC)
    built_at: dt.datetime = dt.datetime(2026, 3, 2, 10, tzinfo=dt.UTC)
    note: str = "leans"


def test_a_dictionary_is_filled_in_the_order_of_its_members():
    filled = fill(Bell, Row(pk=7), bell_id=7)
    assert list(filled.items()) == [("bell_id", 7), ("name", "The Mute Bell"), ("cast_at", "2026-03-02T10:00:00Z")]


def test_a_model_is_filled_and_sent_with_its_version():
    response = answer(fill(Tower, Row(pk=7), form="square"), 201, etag="3")
    assert (response.status_code, response.headers["ETag"]) == (201, '"3"')
    assert response.data["built_at"] == "2026-03-02T10:00:00Z"
    assert response.data["note"] == "leans"


@pytest.mark.parametrize("shape", [Bell, Tower])
def test_what_a_shape_does_not_have_is_refused(shape):
    with pytest.raises(TypeError, match=f"{shape.__name__} has no weight"):
        fill(shape, Row(pk=7), weight=3)


def test_a_page_ends_with_a_cursor_only_where_more_follows():
    rows = [Row(pk=number) for number in range(3)]
    assert cut_page(rows, 2) == (rows[:2], 1)
    assert cut_page(rows, 3) == (rows, None)
    assert cut_page(rows, 2, lambda row: row.name) == (rows[:2], "The Mute Bell")


def test_an_example_of_a_model_comes_from_its_members_under_the_names_that_are_sent():
    assert build_example(Tower) == {
        "name": "The Mute Tower",
        "built_at": "2026-03-02T10:00:00Z",
        "schema": "round",
    }
    assert reply(Tower, note="leans").examples[0].value["note"] == "leans"


class Sent:
    """A request with a body."""

    def __init__(self, **body):
        self.data = body


def test_a_form_takes_its_members_and_no_others():
    body = Body(form({"name": text(9)}, {"weight": {"type": "integer"}}))
    assert body.read(Sent(name="Mute", weight=3)) == {"name": "Mute", "weight": 3}
    for refused in ({}, {"name": " "}, {"name": "a\x00b"}, {"name": "too long a name"}, {"name": "Mute", "tone": 1}):
        with pytest.raises(InvalidBody):
            body.read(Sent(**refused))
