"""What a proposer is given of an event: its messages, who speaks, the names of its world, how rare words are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from episodes.events.actions.jobs import list_chunk
from episodes.events.models import EventName, EventNode
from episodes.events.selectors.told import list_told_texts
from episodes.models import Conversation, Message, MessageRole
from factcheck.core.tokens import tokenize
from factcheck.extraction.core.echoes import find_echoes
from factcheck.plots.core.chunk import ASSISTANT, USER, Chunk, ChunkLine, KnownName
from knowledge.canon.selectors.names import list_names
from knowledge.text.language import detect_language

MESSAGES_BEFORE = 200
"""Earlier messages that tell how rare a word is."""
MAX_KNOWN_NAMES = 2000
"""Of earlier events of the player, the newest."""
MAX_SPEAKER_LENGTH = 60
TYPES_OF_ARTICLES = {
    "character": "Character",
    "npc": "Character",
    "person": "Character",
    "location": "Location",
    "place": "Location",
    "item": "Item",
    "artifact": "Item",
    "faction": "Group",
    "organization": "Group",
    "creature": "Creature",
    "event": "Event",
}


def load_chunk(node: EventNode, *, with_frequencies: bool = True) -> Chunk:
    """What is to be read for an event. Five queries; four without how rare words are, which the gate does not ask."""
    messages = list_chunk(node)
    conversation = Conversation.objects.get(pk=node.conversation_id)
    told = _list_told(node, messages)
    lines = tuple(
        ChunkLine(
            message.pk,
            USER if message.role == MessageRole.USER else ASSISTANT,
            _name_speaker(conversation, message),
            message.content,
            find_echoes(message.content, told),
        )
        for message in messages
    )
    frequencies, documents = _count_words(node) if with_frequencies else ({}, 0)
    return Chunk(lines, _list_known(node), _find_language(messages), frequencies, documents)


def _list_told(node: EventNode, messages: Sequence[Message]) -> list[str]:
    if not messages:
        return []
    last = max(message.created_at for message in messages)
    return list_told_texts(tenant_id=node.tenant_id, end_user_id=node.end_user_id, but=node.pk, before=last)


def _name_speaker(conversation: Conversation, message: Message) -> str:
    if message.role == MessageRole.USER:
        return conversation.user_name[:MAX_SPEAKER_LENGTH]
    if message.npc_id in ("", conversation.npc_id) and conversation.assistant_name:
        return conversation.assistant_name.split(";")[0].strip()[:MAX_SPEAKER_LENGTH]
    return message.npc_id.replace("-", " ").replace("_", " ")[:MAX_SPEAKER_LENGTH]


def _list_known(node: EventNode) -> tuple[KnownName, ...]:
    """Titles and aliases of the world's canon, then names of the player's earlier events."""
    known: list[KnownName] = []
    if node.world_id is not None:
        known += [
            KnownName(each.names, TYPES_OF_ARTICLES.get(each.type.casefold(), "Unknown"))
            for each in list_names(world_id=node.world_id)
        ]
    rows = EventName.objects.filter(tenant_id=node.tenant_id, end_user_id=node.end_user_id).exclude(type="")
    names = rows.exclude(node=node).order_by("-pk").values_list("name", "type")[:MAX_KNOWN_NAMES]
    return (*known, *(KnownName((name,), type_) for name, type_ in dict(names).items()))


def _count_words(node: EventNode) -> tuple[Mapping[str, int], int]:
    before = Message.objects.living().filter(
        conversation_id=node.conversation_id, seq__lt=node.first_seq, seq__gte=node.first_seq - MESSAGES_BEFORE
    )
    counts: Counter[str] = Counter()
    texts = list(before.values_list("content", flat=True))
    for text in texts:
        counts.update(set(tokenize(text[:4000]).lexemes()))
    return counts, len(texts)


def _find_language(messages: Sequence[Message]) -> str:
    """The one that most of the messages are in."""
    spoken = Counter((message.language or detect_language(message.content)).split("-")[0] for message in messages)
    return spoken.most_common(1)[0][0] if spoken else ""
