"""How far one walks through the code to follow the post of one message, from the view to the answer.

Counted is every function of another file that is entered, each once: of `factcheck` and `episodes`, and the entries of
`knowledge` and `tenancy` beside them. Not counted: what these two call themselves; what reading by patterns and model
(`ENGINE`) calls behind its entries; the toolkit `memoryproject`; properties; what waits for the commit. Meaning is
heard inline, as it ships.
"""

from __future__ import annotations

import pytest

from tests.walk import Walk, follow

OWN = ("factcheck", "episodes")
ENGINE = (
    "factcheck.instant.core",
    "factcheck.instant.scorer",
    "factcheck.instant.tagger",
    "factcheck.instant.change_reader",
)
BESIDE = ("knowledge", "tenancy")
DOWNWARDS = (
    "factcheck.posting.api",
    "factcheck.posting.rendering",
    "factcheck.posting.selectors",
    "factcheck.posting.actions",
    "factcheck.instant.actions",
    "factcheck.corrections.actions",
    "factcheck.instant.registry",
    "factcheck.instant.scorer",
    "factcheck.instant.change_reader",
    "factcheck.instant.core",
    "factcheck.core",
    "episodes.conversations.actions",
    "episodes.conversations.selectors",
    "episodes.conversations.core",
    "episodes.embedding",
    "knowledge",
    "tenancy",
)
SAID = {
    "a fact": ("Good evening.", "I am allergic to shellfish."),
    "a correction": ("You are allergic to nuts.", "No, that's wrong, I am not allergic to nuts."),
    "an answer": ("What are you allergic to?", "Shellfish."),
    "both": ("Your size is M.", "No, not M, my size is S, and I am allergic to shellfish."),
}


@pytest.mark.parametrize(("before", "said"), SAID.values(), ids=SAID)
def test_a_post_is_followed_in_less_than_thirty_stops_and_none_upwards(make_api, world, settings, before, said):
    settings.INSTANT_SEMANTIC = "inline"
    engine = make_api("engine", "read")
    path = f"conversations/{engine.post('conversations', {'user_id': 'p1'}).json()['id']}/messages"
    engine.post(path, {"role": "user", "content": "I am allergic to nuts. My size is M."})
    engine.post(path, {"role": "assistant", "content": before})
    with follow(Walk((*OWN, *BESIDE), aside=(*ENGINE, *BESIDE))) as walk:
        answer = engine.post(path, {"role": "user", "content": said})
    assert answer.status_code == 201
    extraction = answer.json()["extraction"]
    assert extraction["facts"] or extraction["corrections"]
    way = "\n".join(f"{caller} -> {stop}" for stop, caller in walk.steps.items())
    assert {stop[0].split(".")[0] for stop in walk.steps} == {*OWN, *BESIDE}, way
    assert all(stop[0].startswith(DOWNWARDS) for stop in walk.steps), way
    assert walk.list_calls_upwards(DOWNWARDS) == []
    assert sum(stop[0].startswith(OWN) for stop in walk.steps) < 30, way
    assert walk.stops < 40, way
