"""What fact checking takes and answers by REST."""

from __future__ import annotations

from typing import Annotated, Any

from typing_extensions import TypedDict

from factcheck.claims.actions.claims import MAX_CLAIM_LENGTH, MAX_NPC_ID_LENGTH
from factcheck.errors import EmptyClaim
from knowledge.api.parameters import MAX_RELEASE_NUMBER
from memoryproject.rest.forms import form, text
from memoryproject.rest.typed_dicts import member

BODY = form(
    {
        "fact": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_CLAIM_LENGTH,
            "pattern": r"[^\s\x00-\x1f\x7f-\x9f]",
            "description": "One claim in plain words, in any language that canon has.",
        }
    },
    {
        "domain": text(32, default="lore"),
        "npc_id": text(
            MAX_NPC_ID_LENGTH, "Check as this NPC: what it may know decides too. Without it, only what is public does."
        ),
        "release": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_RELEASE_NUMBER,
            "description": "A release by number. Not together with `alias`.",
        },
        "alias": text(16, default="latest"),
        "session_id": text(200),
    },
    **{"not": {"required": ["release", "alias"]}},
)


class Source(TypedDict):
    """Where canon says so."""

    slug: Annotated[str, member("oda-marr")]
    title: Annotated[str, member("Oda Marr")]
    passage_id: Annotated[int | None, member(88)]
    version: Annotated[str, member("1.0.0")]
    excerpt: Annotated[str, member("Oda Marr: born_year = 1195")]
    field: Annotated[str | None, member("born_year", "The structured fact, where one decided.")]
    release: Annotated[int, member(3)]


class Assertion(TypedDict):
    """Whether canon bears a claim out. `unknown` is an answer: canon is never guessed at."""

    claim: Annotated[str, member("Oda Marr was born in 1190.")]
    domain: Annotated[str, member("lore")]
    verdict: Annotated[str, member("false", choices=("true", "false", "unknown"))]
    method: Annotated[
        str | None, member("fields", "Null where nothing decided.", choices=("fields", "retrieval", "model"))
    ]
    sources: list[Source]
    expected: Annotated[
        Any, member(1195, "What canon says instead, for a false claim about a structured fact; else null.")
    ]
    explanation: Annotated[str, member("born_year of oda-marr: canon says 1195.")]
    release: Annotated[int, member(3)]
    degraded: Annotated[list[str], member([], "What had to be done without, as codes.")]


CLAIM = {"fact": "Oda Marr was born in 1190."}
CLAIM_CODES = EmptyClaim
