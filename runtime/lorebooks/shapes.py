"""What activating lorebooks answers by REST, with an example of a request."""

from __future__ import annotations

from typing import Annotated, Any

from typing_extensions import TypedDict

from episodes.errors import UnknownConversation
from knowledge.lorebooks.activation.trace import RULES
from knowledge.lorebooks.core.vocabulary import Position
from knowledge.lorebooks.errors import ActivationTooLarge, CardInvalid, WorldInfoInvalid
from memoryproject.rest.typed_dicts import member

ASK = {
    "books": [
        {
            "document": {
                "entries": {
                    "0": {
                        "uid": 0, "key": ["moon gate"], "keysecondary": [], "comment": "Moon gate", "position": 0,
                        "content": "The moon gate opens at high tide.", "selective": True, "selectiveLogic": 0,
                        "order": 100, "probability": 100, "useProbability": True, "disable": False, "constant": False,
                    }
                }
            },
            "name": "coast",
        }
    ],
    "messages": [{"name": "Mira", "text": "Where is the moon gate?"}],
    "dialect": "faithful",
    "seed": 7,
}  # fmt: skip
ANSWER = {
    "activations": [
        {
            "dialect": "faithful",
            "placements": {
                "entries": [
                    {
                        "world": "coast", "uid": "0", "text": "The moon gate opens at high tide.", "order": 100,
                        "position": "before_char", "depth": None, "role": None, "outlet": None,
                    }
                ],
                "before": "The moon gate opens at high tide.", "after": "", "an_top": [], "an_bottom": [],
                "em_top": [], "em_bottom": [], "at_depth": [], "outlets": {},
            },
            "state": {"sticky": {}, "cooldown": {}},
            "trace": {
                "dialect": "faithful", "seed": 7, "budget": 2048, "used_tokens": 8, "has_overflowed": False,
                "is_cut_short": False,
                "entries": [
                    {
                        "world": "coast", "uid": "0", "title": "Moon gate", "is_active": True, "rule": "key",
                        "detail": "", "loop": 1,
                        "match": {
                            "key": "moon gate", "where": {"source": "message", "index": 0, "start": 13, "end": 22}
                        },
                        "secondary": [], "tokens": 8, "is_placed": True,
                        "reason": "a key was found; 'moon gate' was found in message 1",
                    }
                ],
                "loops": [{"state": "initial", "depth": 2, "candidates": 1, "activated": 1, "used_tokens": 8}],
                "rolls": [], "regex_issues": [],
            },
        }
    ],
    "differences": [],
    "is_state_kept": False,
}  # fmt: skip


class Placement(TypedDict):
    """One entry in the prompt."""

    world: Annotated[str, member("coast", "The name of its book.")]
    uid: Annotated[str, member("0")]
    text: Annotated[str, member("The moon gate opens at high tide.")]
    position: Annotated[str, member("before_char", choices=[position.value for position in Position])]
    order: Annotated[float | None, member(100)]
    depth: Annotated[int | None, member(None)]
    role: Annotated[str | None, member(None)]
    outlet: Annotated[str | None, member(None)]


class DepthBlock(TypedDict):
    """What one message at a depth holds."""

    depth: int
    role: str
    texts: list[str]


class Placements(TypedDict):
    """The parts of the prompt, each in its order."""

    entries: list[Placement]
    before: Annotated[str, member("The moon gate opens at high tide.", "Before the character's description.")]
    after: Annotated[str, member("")]
    an_top: Annotated[list[str], member([], "Above the author's note.")]
    an_bottom: Annotated[list[str], member([])]
    em_top: Annotated[list[str], member([], "Above the example messages.")]
    em_bottom: Annotated[list[str], member([])]
    at_depth: Annotated[list[DepthBlock], member([])]
    outlets: Annotated[dict[str, list[str]], member({})]


class KeyMatch(TypedDict):
    """A key that was found."""

    key: Annotated[str, member("moon gate")]
    where: Annotated[
        dict[str, Any] | None,
        member(
            {"source": "message", "index": 0, "start": 13, "end": 22},
            "`source`, `index` (of a message from 0, of a recursion its loop), `start` and `end`, if known.",
        ),
    ]


class EntryTrace(TypedDict):
    """What became of one entry."""

    world: Annotated[str, member("coast")]
    uid: Annotated[str, member("0")]
    title: Annotated[str, member("Moon gate")]
    is_active: Annotated[bool, member(True)]
    rule: Annotated[str, member("key", "What brought it in, or kept it out.", choices=list(RULES))]
    detail: Annotated[str, member("")]
    loop: Annotated[int, member(1, "The loop that decided, from 1.")]
    match: KeyMatch | None
    secondary: Annotated[list[KeyMatch], member([])]
    tokens: Annotated[int | None, member(8, "Its own in m37; faithful: of all up to it.")]
    is_placed: Annotated[bool, member(True)]
    reason: Annotated[str, member("a key was found; 'moon gate' was found in message 1", "All of this in a sentence.")]


class ActivationTrace(TypedDict):
    """The whole record."""

    dialect: Annotated[str, member("faithful")]
    seed: Annotated[int, member(7)]
    budget: Annotated[int, member(2048)]
    used_tokens: Annotated[int, member(8)]
    has_overflowed: Annotated[bool, member(False)]
    is_cut_short: Annotated[bool, member(False, "Entries call each other in more loops than are made.")]
    entries: list[EntryTrace]
    loops: Annotated[
        list[dict[str, Any]],
        member([{"state": "initial", "depth": 2, "candidates": 1, "activated": 1, "used_tokens": 8}]),
    ]
    rolls: Annotated[list[dict[str, Any]], member([])]
    regex_issues: Annotated[
        list[dict[str, str]],
        member([], "Keys that were not run: `unsupported`, `too_long`, `too_many`, `timeout`, `out_of_time`."),
    ]


class Activation(TypedDict):
    """What one dialect made of it."""

    dialect: Annotated[str, member("faithful")]
    placements: Placements
    state: Annotated[
        dict[str, dict[str, Any]], member({"sticky": {}, "cooldown": {}}, "For the next activation of this chat.")
    ]
    trace: ActivationTrace


class DialectDifference(TypedDict):
    """An entry that the dialects disagree on."""

    world: str
    uid: str
    title: str
    is_active_faithful: bool
    is_active_m37: bool
    faithful: Annotated[str, member(description="The sentence of SillyTavern's rules.")]
    m37: Annotated[str, member(description="The sentence of ours.")]


class ActivationOutcome(TypedDict):
    """What came of it."""

    activations: list[Activation]
    differences: Annotated[list[DialectDifference], member([])]
    is_state_kept: Annotated[bool, member(False, "Whether the effects stand with the conversation now.")]


CODES = (WorldInfoInvalid, CardInvalid, ActivationTooLarge, UnknownConversation)
