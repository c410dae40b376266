"""What NPCs take and answer by REST."""

from __future__ import annotations

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from memoryproject.rest.forms import form, text
from memoryproject.rest.pages import NEXT_CURSOR
from memoryproject.rest.parameters import MAX_ID, TextParameter
from memoryproject.rest.typed_dicts import Time, deprecated, member
from npcs.dispositions.core.moves import MAX_ID_LENGTH, MAX_REASON_LENGTH
from npcs.profiles.core.forms import describe_body
from npcs.profiles.core.ids import MAX_NPC_ID_LENGTH, NPC_ID_PATTERN

PROFILE_BODY = describe_body("npc_profile", without=("dynamic",))
PROFILE_BODY = {**PROFILE_BODY, "required": ["static"]}
COMPENSATION_BODY = form(
    {
        "entry_id": {"type": "integer", "minimum": 1, "maximum": MAX_ID, "description": "The move to take back."},
        "reason": text(MAX_REASON_LENGTH),
    }
)
NPC_ID = TextParameter("npc_id", "The engine's id of the NPC.", "li-shen", MAX_NPC_ID_LENGTH, NPC_ID_PATTERN)
PARTY_ID = TextParameter("party_id", "How it stands towards this party.", "pty_001", MAX_ID_LENGTH)
USER_ID = TextParameter("user_id", "How it stands towards this player.", "player-1", MAX_ID_LENGTH)
IF_MATCH = TextParameter(
    "If-Match",
    "The `persona_version` that the change is based on; 0: the NPC is new. Another one by now is 412; "
    "what is there is replaced with a version only, else 428.",
    "3",
    12,
    pattern=r'^"?[0-9]{1,9}"?$',
)


class NpcSummary(TypedDict):
    """One NPC of a list."""

    npc_id: Annotated[str, member("li-shen")]
    name: Annotated[str, member("Ли-Шэнь")]
    archetype: Annotated[str, member("keeper")]
    state: Annotated[str, member("active", choices=("active", "retired"))]
    persona_version: Annotated[int, member(3)]
    updated_at: Annotated[Time, member("2026-03-01T19:12:31Z", "When this persona version was written.")]


class NpcList(TypedDict):
    """NPCs in the order of ids."""

    data: list[NpcSummary]
    next_cursor: Annotated[str | None, member(None, NEXT_CURSOR)]
    npcs: NotRequired[Annotated[list[NpcSummary], deprecated("data")]]
    next_after: NotRequired[Annotated[str | None, deprecated("next_cursor")]]


class Visual(TypedDict):
    """Markers of its looks."""

    must_have: Annotated[list[str], member(["grey-plait"])]
    banned: Annotated[list[str], member(["smile"])]


class NpcRelation(TypedDict):
    """What it passes on to another NPC."""

    npc_id: Annotated[str, member("oda-marr")]
    kind: Annotated[str, member("friend")]
    strength: Annotated[int, member(3)]
    shares: Annotated[str, member("rumour", choices=("all", "rumour", "none"))]
    delay: Annotated[int, member(0)]
    disposition_min: NotRequired[float]
    disposition_max: NotRequired[float]


class Static(TypedDict):
    """Who it is."""

    name: Annotated[str, member("Ли-Шэнь")]
    names: Annotated[dict[str, str], member({"en": "Li Shen"})]
    languages: Annotated[list[str], member(["ru", "en"])]
    archetype: Annotated[str, member("keeper")]
    voice_tts: Annotated[str, member("male_low_smoke")]
    persona: Annotated[
        str, member("Answers questions about the bridge with the weather.", "How it speaks and behaves.")
    ]
    secrets: NotRequired[Annotated[list[str], member(description="Only for keys with the scope `engine`.")]]
    lore_refs: Annotated[list[str], member(["moon-bridge"], "Articles of canon about it.")]
    visual: Visual
    relations: NotRequired[
        Annotated[list[NpcRelation], member(description="Only for keys with the scope `engine`, where there are any.")]
    ]


class Memory(TypedDict):
    """A scene that it knows, by its summary."""

    summary_id: Annotated[str, member("sum_2025_08_27_0142")]
    known: Annotated[str, member("present", "Whether it was there or only told of it.", choices=("present", "told"))]
    impact: Annotated[
        str | None, member("trust+1", "How the scene moved the disposition: trust+1, trust-0.5. Null: not at all.")
    ]


class Dynamic(TypedDict):
    """How it stands and what it remembers; empty unless a party or a user was asked about."""

    disposition: Annotated[
        dict[str, float],
        member({"party_id:pty_001": 2}, "`party_id:…` or `user_id:…` to a value of the scale."),
    ]
    memory: Annotated[
        list[Memory], member(description="The last ten scenes that it knows of them, newest first.", maxItems=10)
    ]


class Scale(TypedDict):
    """The bounds of dispositions in this world."""

    least: Annotated[float, member(-5)]
    most: Annotated[float, member(5)]
    initial: Annotated[float, member(0)]
    step_most: Annotated[float, member(3, "The largest single change.")]


class LedgerEntry(TypedDict):
    """One move of a disposition, and why."""

    id: Annotated[int, member(7)]
    entry_id: Annotated[int, member(7, "The same as `id`.")]
    towards: Annotated[str, member("party", choices=("party", "user"))]
    towards_id: Annotated[str, member("pty_001")]
    delta: Annotated[float, member(1, "What was asked for.")]
    applied: Annotated[float, member(1, "What the scale let through.")]
    balance_after: Annotated[float, member(2)]
    reason: Annotated[str, member("kept promise")]
    rule: Annotated[str, member("")]
    summary_id: Annotated[str, member("sum_2025_08_27_0142", "Empty for compensations.")]
    campaign_id: Annotated[str, member("camp_123")]
    compensates: Annotated[int | None, member(None, "The move that this one takes back.")]
    author: Annotated[str, member("", "Who compensated.")]
    happened_at: Annotated[Time, member("2025-08-27T11:42:00Z")]
    created_at: Annotated[Time, member("2025-08-27T11:42:01Z")]


class Npc(TypedDict):
    """An NPC as `schemas/npc_profile.schema.json` has it, and what explains it."""

    npc_id: Annotated[str, member("li-shen")]
    state: Annotated[str, member("active", choices=("active", "retired"))]
    version: Annotated[str, member("1.1.0", "The version of the form.")]
    persona_version: Annotated[int, member(3)]
    static: Static
    dynamic: Dynamic
    scale: Scale | None
    last_changes: list[LedgerEntry]
    retired_refs: NotRequired[
        Annotated[
            list[str],
            member(description="Lore references that lead nowhere now. Only for keys with the scope `engine`."),
        ]
    ]


class WrittenProfile(TypedDict):
    """What came of a write."""

    npc_id: Annotated[str, member("li-shen")]
    persona_version: Annotated[int, member(3, "The version in force after the write.")]
    outcome: Annotated[str, member("changed", choices=("created", "changed", "unchanged", "in_review"))]
    change_request: Annotated[
        int | None, member(None, "The request in which it waits for a second person; null when it is in force.")
    ]


class Ledger(TypedDict):
    """Moves, newest first."""

    data: list[LedgerEntry]
    next_cursor: Annotated[int | None, member(None, NEXT_CURSOR)]
    entries: NotRequired[Annotated[list[LedgerEntry], deprecated("data")]]
    next_before: NotRequired[Annotated[int | None, deprecated("next_cursor")]]


STATIC = {
    "name": "Ли-Шэнь",
    "names": {"en": "Li Shen"},
    "languages": ["ru", "en"],
    "archetype": "keeper",
    "voice_tts": "male_low_smoke",
    "persona": "Answers questions about the bridge with the weather.",
    "lore_refs": ["moon-bridge"],
    "visual": {"must_have": ["grey-plait"], "banned": ["smile"]},
}
