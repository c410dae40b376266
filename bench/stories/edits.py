"""Edits and swipes in a long talk: against the bare statements that they come down to, in the same run."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

from django.db import connection, transaction

from bench.facts import make_messages
from bench.report import Report, median
from episodes.alternatives.actions import AlternativeDraft
from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import store_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.models import Conversation, Message, MessagePassage
from factcheck.alternatives.actions import add_swipe, edit_message, select_message
from factcheck.posting.actions.messages import post_messages
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import Tenant

BATCH_SIZE = 500
WARM_UP = 10
LIMIT_MS = 50
BARE = (
    "UPDATE episodes_message SET is_current = FALSE WHERE id = %(old)s",
    """
    INSERT INTO episodes_message (
        tenant_id, conversation_id, seq, alternative, alternative_of_id, revision_of_id, role, content, npc_id,
        session_id, language, frame, memory_type, response_description, sent_at
    ) SELECT tenant_id, conversation_id, seq, alternative + 1, COALESCE(alternative_of_id, id), id, role,
        %(content)s, npc_id, session_id, language, frame, memory_type, response_description, sent_at
    FROM episodes_message WHERE id = %(old)s
    """,
    """
    UPDATE episodes_messagepassage SET message_id = (
        SELECT id FROM episodes_message WHERE conversation_id = %(chat)s AND seq = %(seq)s AND is_current
    ) WHERE message_id = %(old)s
    """,
)


def measure(report: Report, options: argparse.Namespace) -> None:
    """Adds the figures of edits, swipes and choices: milliseconds, and ratios to bare SQL and to a short talk."""
    tenant = ensure_tenant(slug="bench-edits")
    texts = [text.strip() for text in make_messages(options.talk, share_with_fact=0)]
    short, long = (
        _fill(tenant, f"talk-{size}", texts[:size], statements=options.edits + WARM_UP)
        for size in (options.talk // 10, options.talk)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE episodes_message; ANALYZE episodes_messagepassage")
    bare = _measure(long, options.edits, _edit_bare)
    times: dict[str, tuple[float, float]] = {
        name: (_measure(short, options.edits, act), _measure(long, options.edits, act))
        for name, act in (
            ("edit, nothing rests on it", _edit),
            ("swipe", _swipe),
            ("select", _select),
            ("edit of a statement, with the re-read", _edit_statement),
        )
    }
    (tenth, edit), (short_stated, stated) = (
        times["edit, nothing rests on it"],
        times["edit of a statement, with the re-read"],
    )
    rows: list[list[object]] = [[name, *figures] for name, figures in times.items()]
    rows.append(["the re-read alone", short_stated - tenth, stated - edit])
    rows.append(["bare UPDATE, INSERT and move of the passage, COMMIT", "", bare])
    report.table(["p50 ms in a talk of", str(options.talk // 10), str(options.talk)], rows)
    report.figure("edit_ms", edit, at_most=LIMIT_MS)
    report.figure("edit_over_bare_sql", edit / bare, at_most=20)
    report.figure("edit_growth_at_10_times", edit / tenth, at_most=2)
    report.figure("statement_over_edit", stated / edit, at_most=40)
    report.figure("places_without_one_current", _count_wrong_places(), at_most=0)


def _fill(tenant: Tenant, name: str, texts: Sequence[str], *, statements: int) -> Conversation:
    """A talk of one player, both sides in turn; the player's last messages state a size, one after the other."""
    chat = open_conversation(tenant_id=tenant.pk, user_id=name, external_id=name).conversation
    for start in range(0, len(texts), BATCH_SIZE):
        drafts = [
            MessageDraft(role="assistant" if place % 2 else "user", content=text)
            for place, text in enumerate(texts[start : start + BATCH_SIZE])
        ]
        store_messages(tenant_id=tenant.pk, conversation_id=chat.pk, drafts=drafts)
    for number in range(statements):
        size = "SML"[number % 3]
        draft = MessageDraft(role="user", content=f"My size is {size}.")
        post_messages(tenant_id=tenant.pk, conversation_id=chat.pk, drafts=[draft])
    return chat


def _measure(chat: Conversation, edits: int, act: Callable[[Message, int], None]) -> float:
    """The p50 over places that are spread over the talk."""
    statements = Message.objects.living().filter(conversation=chat, content__startswith="My size")
    others = Message.objects.living().filter(conversation=chat, role="user").exclude(content__startswith="My size")
    rows = list((statements if act is _edit_statement else others).select_related("conversation").order_by("seq"))
    step = max(1, len(rows) // (edits + WARM_UP))
    times = []
    for number, message in enumerate(rows[::step][: edits + WARM_UP]):
        start = time.perf_counter()
        act(message, number)
        times.append((time.perf_counter() - start) * 1000)
    return median(times[WARM_UP:])


def _edit_bare(message: Message, number: int) -> None:
    values = {"old": message.pk, "chat": message.conversation_id, "seq": message.seq, "content": f"Words {number}."}
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in BARE:
            cursor.execute(statement, values)


def _edit(message: Message, number: int) -> None:
    draft = AlternativeDraft(f"The lamps of tower {number} burn all night.")
    edit_message(tenant_id=message.tenant_id, message_id=message.pk, draft=draft, requested_by="bench")


def _edit_statement(message: Message, number: int) -> None:
    draft = AlternativeDraft(f"My size is {'LMS'[number % 3]}, as I said {number} times.")
    edit_message(tenant_id=message.tenant_id, message_id=message.pk, draft=draft, requested_by="bench")


def _swipe(message: Message, number: int) -> None:
    draft = AlternativeDraft(f"The bells of tower {number} are silent.")
    place = {"conversation_id": message.conversation_id, "seq": message.seq}
    add_swipe(tenant_id=message.tenant_id, **place, draft=draft, requested_by="bench")


def _select(message: Message, _: int) -> None:
    first = message.alternative_of_id or message.pk
    select_message(tenant_id=message.tenant_id, message_id=first, requested_by="bench")


def _count_wrong_places() -> int:
    """Places with no current message or several, and messages that are found and not current."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM (SELECT 1 FROM episodes_message GROUP BY conversation_id, seq"
            " HAVING count(*) FILTER (WHERE is_current) <> 1) AS wrong"
        )
        [wrong] = cursor.fetchone()
    return int(wrong) + MessagePassage.objects.filter(message__is_current=False).count()
