"""Erasing a player who said much: the request against a bare INSERT, and the batches against a bare SQL rewrite."""

from __future__ import annotations

import argparse
import statistics
import time
import uuid
from collections.abc import Callable

from django.db import connection, transaction

from bench.facts import make_messages
from bench.report import Report
from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import store_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.forgetting.actions.erasure import erase_user
from episodes.forgetting.actions.order_work import run_order
from episodes.models import ERASED_CONTENT, Conversation, ForgetReceipt, Message, ReceiptState
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import EndUser

BATCH = 500
BARE_ORDERS = 20
INSERT = """
INSERT INTO episodes_forgetreceipt (
    id, tenant_id, end_user_id, asked, requested_by, message_ids, cleared, verification, errors, work, state, attempts
) VALUES (%s, %s, %s, '{}', 'bench', '{}', '{}', '{}', '{}', '{}', 'pending', 0)
"""
COPY_MESSAGES = """
INSERT INTO episodes_message (
    tenant_id, conversation_id, seq, role, content, npc_id, session_id, language, frame, memory_type,
    response_description, sent_at
)
SELECT tenant_id, %s, seq, role, content, npc_id, session_id, language, frame, memory_type, response_description,
       sent_at
FROM episodes_message WHERE conversation_id = %s
"""
COPY_PASSAGES = """
INSERT INTO episodes_messagepassage (
    tenant_id, message_id, conversation_id, end_user_id, seq, language, length, lexemes, bm25, embedding_hash, embedder
)
SELECT p.tenant_id, m.id, m.conversation_id, p.end_user_id, p.seq, p.language, p.length, p.lexemes, p.bm25,
       p.embedding_hash, ''
FROM episodes_message m JOIN episodes_messagepassage p ON p.seq = m.seq
WHERE m.conversation_id = %s AND p.conversation_id = %s
"""
REWRITE = """
UPDATE episodes_message SET content = '[erased]', client_message_id = NULL, body_hash = NULL, forgotten_at = now()
WHERE conversation_id IN (SELECT id FROM episodes_conversation WHERE end_user_id = %s)
"""


def run(options: argparse.Namespace) -> Report:
    """The request answers within a second of any size, and batches keep up with SQL that erases without a receipt."""
    report = Report("erasure")
    tenant_id = ensure_tenant(slug="bench").pk
    small, large = _store(tenant_id, "small", options.small), _store(tenant_id, "large", options.messages)
    report.say(f"{options.small} and {options.messages} messages stored")
    insert_ms = 1000 * statistics.median(_time_bare_insert(tenant_id, small.pk) for _ in range(BARE_ORDERS))
    small_ms, _ = _accept(tenant_id, small)
    bare_seconds = _time_bare_rewrite(tenant_id, large.pk)
    accept_ms, receipt = _accept(tenant_id, large)
    start = time.perf_counter()
    while (state := run_order(receipt.pk)) != ReceiptState.DONE:
        if state != ReceiptState.RUNNING:
            raise RuntimeError(f"the order is {state}")
    work_seconds = time.perf_counter() - start
    said = Message.objects.filter(conversation__end_user=large)
    report.table(
        ["what", "value"],
        [
            [f"ms until an order over {options.small} messages is accepted", small_ms],
            [f"ms until one over {options.messages} is", accept_ms],
            ["ms of a bare INSERT of the receipt", insert_ms],
            ["seconds of the batches", work_seconds],
            ["messages a second", options.messages / work_seconds],
            ["seconds of one bare UPDATE of all rows", bare_seconds],
        ],
    )
    report.figure("words_left", said.exclude(content=ERASED_CONTENT).count(), at_most=0)
    report.figure("request_over_small_request", accept_ms / small_ms, at_most=15)
    report.figure("batches_over_sql", work_seconds / bare_seconds, at_most=15)
    return report


def _store(tenant_id: int, user_id: str, count: int) -> EndUser:
    """Conversations of 500 messages: the first is stored as always, the others are copies of its rows."""
    first = open_conversation(tenant_id=tenant_id, user_id=user_id).conversation
    texts = make_messages(BATCH, share_with_fact=0)
    drafts = [MessageDraft(role="user", content=text.strip()) for text in texts]
    store_messages(tenant_id=tenant_id, conversation_id=first.pk, drafts=drafts)
    for _ in range(count // BATCH - 1):
        chat = open_conversation(tenant_id=tenant_id, user_id=user_id).conversation
        Conversation.objects.filter(pk=chat.pk).update(last_seq=BATCH)
        _execute(COPY_MESSAGES, [chat.pk, first.pk])
        _execute(COPY_PASSAGES, [chat.pk, first.pk])
    return EndUser.objects.get(tenant_id=tenant_id, external_id=user_id)


def _accept(tenant_id: int, user: EndUser) -> tuple[float, ForgetReceipt]:
    start = time.perf_counter()
    receipt = erase_user(tenant_id=tenant_id, end_user_id=user.pk, reason="bench", requested_by="bench")
    return 1000 * (time.perf_counter() - start), receipt


def _time_bare_insert(tenant_id: int, end_user_id: int) -> float:
    return _time_undone(lambda: _execute(INSERT, [uuid.uuid4(), tenant_id, end_user_id]))


def _time_bare_rewrite(tenant_id: int, end_user_id: int) -> float:
    """One statement without batches, receipt, search index or stores. The triggers are the same."""

    def rewrite() -> None:
        receipt_id = uuid.uuid4()
        _execute(INSERT, [receipt_id, tenant_id, end_user_id])
        _execute(
            "INSERT INTO episodes_erasure (tenant_id, end_user_id, receipt_id, reason, requested_by, transaction_id)"
            " VALUES (%s, %s, %s, 'bench', 'bench', 0)",
            [tenant_id, end_user_id, receipt_id],
        )
        start = time.perf_counter()
        _execute(REWRITE, [end_user_id])
        seconds.append(time.perf_counter() - start)

    seconds: list[float] = []
    _time_undone(rewrite)
    return seconds[0]


def _time_undone(call: Callable[[], None]) -> float:
    with transaction.atomic():
        start = time.perf_counter()
        call()
        took = time.perf_counter() - start
        transaction.set_rollback(True)
    return took


def _execute(sql: str, parameters: list[object]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
