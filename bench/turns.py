"""A world with something in every layer of a context pack, and the questions of its turns."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

from django.utils import timezone

from bench.corpus import Text, load_release, make_texts
from episodes.art.actions.cards import prepare_card, record_card
from episodes.campaigns.actions.campaigns import open_campaign
from episodes.campaigns.actions.scenes import record_summary
from episodes.campaigns.core.summaries import parse_summary
from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import store_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.embedding.actions.embeddings import embed_messages
from episodes.facts.actions import write_fact
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.facts.core.drafts import FactDraft
from npcs.profiles.actions import write_profile
from npcs.profiles.core.profiles import parse_profile
from runtime.context.request import ContextRequest
from runtime.session_memory.actions import change_preference
from runtime.session_memory.core.keys import SessionRef
from runtime.session_memory.core.preferences import PreferenceChange

WORLD, NPC, PARTY, SCENE, PLAYER, SESSION = "turns", "keeper", "pty_1", "scn_1", "player-1", "session-1"
NEWCOMER, NEWCOMER_MESSAGES, NEWCOMER_QUESTIONS = "player-2", 62, 6
RULES = 500
SCENES = 12
AT_ONCE = 100
TERMS = 6


@dataclass(frozen=True)
class Turns:
    """What turns are asked of."""

    tenant_id: int
    world_id: int
    questions: tuple[str, ...]

    def ask_newcomer(self) -> list[ContextRequest]:
        """The turns of a player with few messages, some of which speak to each question."""
        return [replace(self.ask(question), user_id=NEWCOMER) for question in self.questions[:NEWCOMER_QUESTIONS]]

    def ask(self, question: str) -> ContextRequest:
        """The turn of a question."""
        return ContextRequest(
            tenant_id=self.tenant_id,
            world_id=self.world_id,
            message=question,
            user_id=PLAYER,
            session_id=SESSION,
            npc_id=NPC,
            party_id=PARTY,
            scene_id=SCENE,
            is_preview=True,
        )


def make_turns(passages: int, messages: int, questions: int, *, say: Callable[[str], None]) -> Turns:
    """Loads the world and plays in it."""
    release, _ = load_release(WORLD, lambda: make_texts(passages), say=say)
    texts = [text.text.split() for text in islice(make_texts(passages), 2_000)]
    asked = tuple(_ask(texts, questions))
    load_release(WORLD, lambda: _make_rules(asked), domain="srd", say=say)
    _play(release, texts)
    _talk(release, texts, messages)
    _talk_little(release, texts, asked)
    return Turns(release.tenant_id, release.world_id, asked)


def _make_rules(questions: Sequence[str]) -> Iterator[Text]:
    """Rules of which every question calls for some."""
    rules = zip(make_texts(RULES, seed=38), cycle(questions), strict=False)
    return (replace(rule, text=f"{question.rstrip('?')} {rule.text}") for rule, question in rules)


def _ask(texts: Sequence[Sequence[str]], count: int) -> list[str]:
    source = random.Random(7)
    return [f"{' '.join(source.sample(sorted(set(source.choice(texts))), TERMS))}?" for _ in range(count)]


def _play(release: ResolvedRelease, texts: Sequence[Sequence[str]]) -> None:
    where = {"tenant_id": release.tenant_id, "world_id": release.world_id}
    static = {"name": "Tamsin Quay", "archetype": "ferry keeper", "persona": " ".join(texts[0][:60]) + "."}
    profile = parse_profile(
        {"npc_id": NPC, "version": "1.1.0", "static": {**static, "secrets": ["She sank the boat."]}}
    )
    write_profile(**where, profile=profile, author="bench")
    open_campaign(**where, external_id="camp_1")
    for number in range(SCENES):
        body = {
            "summary_id": f"sum_{number}",
            "campaign_id": "camp_1",
            "party_id": PARTY,
            "scene_id": SCENE,
            "when": (timezone.now() - dt.timedelta(hours=SCENES - number)).isoformat(),
            "who": {"players": [PLAYER], "npcs": [NPC]},
            "where": {"location_id": "quay"},
            "what": {"event": "bargain", "outcome": "success"},
            "flags": {f"debt_{number}": "paid"},
            "relations_delta": [{"npc_id": NPC, "towards": "party", "delta": 1, "reason": "kept a promise"}]
            if number < 2
            else [],
            "notes": f"The party paid debt {number} at the quay and left before the bell rang.",
        }
        record_summary(**where, draft=parse_summary(body, now=timezone.now()))
    card = {
        "image_id": "img_1",
        "scene_id": SCENE,
        "prompt_text": "a ferry at a misty quay, lanterns, black water",
        "style": {"preset": "woodcut", "seed": 7},
        "visual_tags": ["mist", "lantern", "ferry", "black water", "quay"],
    }
    record_card(**where, draft=prepare_card(card))


def _talk(release: ResolvedRelease, texts: Sequence[Sequence[str]], count: int) -> None:
    source = random.Random(5)
    for type_, value in (("allergy", "nickel"), ("hard_ban", "spiders"), ("budget", "500 AED"), ("body_params", "M")):
        draft = FactDraft(type=type_, value=value, source="onboarding")
        write_fact(tenant_id=release.tenant_id, user_id=PLAYER, draft=draft)
    chat = open_conversation(
        tenant_id=release.tenant_id, world_id=release.world_id, user_id=PLAYER, npc_id=NPC, session_id=SESSION
    ).conversation
    for start in range(0, count, AT_ONCE):
        drafts = [
            MessageDraft(
                "assistant" if number % 2 else "user",
                " ".join(source.choice(texts)[: source.randint(3, 40)]),
                session_id=SESSION,
            )
            for number in range(start, min(start + AT_ONCE, count))
        ]
        store_messages(tenant_id=release.tenant_id, conversation_id=chat.pk, drafts=drafts)
        embed_messages(chat.pk, limit=AT_ONCE)
    session = SessionRef(release.tenant_id, release.world_id, SESSION)
    change_preference(session, PreferenceChange(verbosity="brief", tone="formal", new_tags=("ferries", "bells")))


def _talk_little(release: ResolvedRelease, texts: Sequence[Sequence[str]], questions: Sequence[str]) -> None:
    """A player with 62 messages, eight of which speak to each of a few questions; the last ten are the talk."""
    source = random.Random(6)
    for type_, value in (("allergy", "nickel"), ("hard_ban", "spiders"), ("budget", "500 AED"), ("body_params", "M")):
        draft = FactDraft(type=type_, value=value, source="onboarding")
        write_fact(tenant_id=release.tenant_id, user_id=NEWCOMER, draft=draft)
    told = [
        f"{question.rstrip('?')} {' '.join(source.choice(texts)[: source.randint(10, 40)])}"
        for question in questions[:NEWCOMER_QUESTIONS]
        for _ in range(8)
    ]
    source.shuffle(told)
    rest = [" ".join(source.choice(texts)[:20]) for _ in range(NEWCOMER_MESSAGES - len(told))]
    chat = open_conversation(
        tenant_id=release.tenant_id, world_id=release.world_id, user_id=NEWCOMER, npc_id=NPC
    ).conversation
    drafts = [MessageDraft("user", text) for text in (*told, *rest)]
    store_messages(tenant_id=release.tenant_id, conversation_id=chat.pk, drafts=drafts)
    embed_messages(chat.pk)
