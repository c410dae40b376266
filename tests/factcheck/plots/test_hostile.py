"""Whatever a model answers and people bring back, the gate and the lorebook hold."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from episodes.events.actions.edits import bring_book
from episodes.events.core.cards import escape_entry, escape_key
from episodes.events.core.plot import PlotInvalid
from episodes.events.models import EventNode
from episodes.events.selectors.books import read_book
from factcheck.core.tokens import name_sequence
from factcheck.plots.core.chunk import Chunk, ChunkIndex, ChunkLine
from factcheck.plots.core.gate import MIN_SUMMARY_SHARE, check_plot
from tests.factcheck.plots.talks import TAVERN, make_events
from tests.factories.conversations import say_alternately

CHUNK = Chunk(tuple(ChunkLine(place, "user", "", text) for place, text in enumerate(TAVERN[:10], 1)))
INDEX = ChunkIndex(CHUNK)
WORDS = sorted({word for line in TAVERN[:10] for word in line.split()})
SIGNS = (
    "{{user}}",
    "@@depth 0",
    "/a+/i",
    "🔥",
    "...",
    " ",
    "\n> ",
    "Gandalf",
    "42",
    "//",
    "{summary}",
    "ذاك",
    "那件事",
    ",",
)
texts = st.lists(st.sampled_from((*WORDS, *SIGNS)), max_size=8).map(" ".join)
names = st.one_of(texts, st.sampled_from(("Irina", "Miron", "Moon Tavern", "silver key", "Raven Guard", "Gandalf")))
documents = st.fixed_dictionaries(
    {
        "summary": texts,
        "keywords": st.lists(names, max_size=5),
        "timestamp": texts,
        "location": names,
        "entities": st.lists(st.fixed_dictionaries({"name": names, "type": texts}), max_size=4),
        "relations": st.lists(
            st.fixed_dictionaries({"subject": names, "predicate": texts, "object": names}), max_size=4
        ),
    },
    optional={"details": texts, "authority": texts},
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(documents)
def test_whatever_a_model_answers_only_what_was_said_passes(document):
    try:
        gated = check_plot(document, CHUNK)
    except PlotInvalid:
        return
    plot = gated.plot
    if plot is None:
        assert gated.refusals
        return
    listed = {name_sequence(entity.name) for entity in plot.entities}
    assert name_sequence(plot.summary)
    assert INDEX.share(plot.summary) >= MIN_SUMMARY_SHARE
    for name in (*(entity.name for entity in plot.entities), *plot.keywords):
        assert INDEX.find_known(name) or name == plot.location, name
    assert all({name_sequence(each.subject), name_sequence(each.object)} <= listed for each in plot.relations)
    assert not plot.location or (name_sequence(plot.location) and INDEX.share(plot.location) == 1.0)
    for start, end in ((start, end) for _, start, end in gated.spans.values()):
        assert 0 <= start < end


@pytest.mark.parametrize(
    ("name", "sequence"),
    [("/a+/i", ("a", "i")), ("the Moon", ("moon",)), ('the "Moon"', ("moon",)), ("a", ("a",)), ("a-ha", ("a", "ha"))],
)
def test_only_an_article_of_its_own_is_left_out_of_a_name(name, sequence):
    assert name_sequence(name) == sequence


@pytest.mark.parametrize("summary", ["🔥🔥🔥", "...", "!", "—"])
def test_a_summary_without_words_is_no_event(summary):
    document = {
        "summary": summary,
        "keywords": ["Irina"],
        "timestamp": "",
        "location": "",
        "entities": [],
        "relations": [],
    }
    gated = check_plot(document, CHUNK)
    assert gated.plot is None
    assert gated.refusals[-1]["code"] == "summary_unsupported"


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(("{", "}", "/", " ", ",", "a", "i", "@", "\n")), max_size=12).map("".join))
def test_no_key_and_no_content_is_a_command(text):
    key = escape_key(text)
    assert "{{" not in key
    assert "}}" not in key
    assert not key.startswith("/")
    assert "," not in key
    content = escape_entry(text, ()).content
    assert "{{" not in content
    assert "}}" not in content
    assert not any(line.lstrip().startswith("@@") for line in content.split("\n"))


def test_a_content_of_nothing_but_lines_takes_no_time():
    began = time.monotonic()
    escape_entry("\n" * 200_000, ())
    assert time.monotonic() - began < 2


def bring(chat, raw: dict[str, Any]):
    return bring_book(conversation_id=chat.pk, world_id=None, raw=raw, author="test")


def give_out(chat) -> dict[str, Any]:
    return {"entries": read_book(conversation_id=chat.pk, world_id=None).entries}


@pytest.mark.django_db
def test_a_title_that_is_too_long_is_shown_as_far_as_there_is_room(chat):
    say_alternately(chat, TAVERN)
    make_events(chat)
    raw = give_out(chat)
    raw["entries"]["1"]["comment"] = "A night to remember. " * 20
    bring(chat, raw)
    node = EventNode.objects.get()
    assert node.title.endswith("…")
    assert len(node.title) == 80
    assert len(node.edit["title"]) > 400, "what a person wrote is kept whole"
