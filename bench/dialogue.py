"""Recall@10 of episode search over dialogue turns: the folders of `quality`, stored as messages of conversations.

Each ns becomes one user with one conversation; whoever speaks first is the user. With `--embeddings` the limits are
those of a sentence model, without them those of the offline embedder.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.folders import DEPTH, MODES, Folder, read_folder
from bench.report import Report
from episodes.actions import open_conversation, store_messages
from episodes.actions.embeddings import embed_messages
from episodes.actions.messages import BATCH_MOST
from episodes.core.drafts import MessageDraft
from episodes.models import Conversation
from episodes.selectors.search import search_episodes
from knowledge.config import MessageSettings, get_message_settings
from tenancy.actions.worlds import ensure_tenant

LEAST_OFFLINE, LEAST_SEMANTIC = 0.70, 0.75


def run(options: argparse.Namespace) -> Report:
    """Stores each folder's turns and scores every mode, with neighbours and without."""
    report = Report("dialogue")
    rows = []
    for path in options.folders:
        folder = read_folder(path)
        conversations = _store(report, path, folder)
        for mode in options.modes:
            for shown, share in ((mode, None), (f"{mode}, alone", 0.0)):
                scores = _score(folder, conversations, _make_settings(mode, share))
                rows.append([path.name, shown, *scores.values()])
                report.data.setdefault(path.name, {})[shown] = scores
        if "convex" in options.modes:
            report.figure(
                f"convex_recall_{path.name}",
                report.data[path.name]["convex"]["recall@10"],
                at_least=LEAST_SEMANTIC if options.embeddings else LEAST_OFFLINE,
            )
    report.table(["set", "mode", "recall@10", "hit@1", "mrr"], rows)
    return report


def _store(report: Report, path: Path, folder: Folder) -> dict[str, tuple[Conversation, dict[int, str]]]:
    """Each ns' conversation, and the corpus' key of each message."""
    tenant = ensure_tenant(slug="bench")
    stored = {}
    for ns, turns in folder.corpus.items():
        conversation = open_conversation(tenant_id=tenant.pk, user_id=f"{path.name}.{ns or 'all'}").conversation
        first_speaker = _name_speaker(turns[0]["text"])
        keys = {}
        for start in range(0, len(turns), BATCH_MOST):
            part = turns[start : start + BATCH_MOST]
            drafts = [
                MessageDraft("user" if _name_speaker(turn["text"]) == first_speaker else "assistant", turn["text"])
                for turn in part
            ]
            messages = store_messages(tenant_id=tenant.pk, conversation_id=conversation.pk, drafts=drafts)
            keys.update({each.message.pk: turn["_id"] for each, turn in zip(messages, part, strict=True)})
        embedded = embed_messages(conversation.pk, limit=len(turns))
        report.say(f"{path.name} {ns}: {len(turns)} turns, {embedded.done} with vectors")
        stored[ns] = conversation, keys
    return stored


def _name_speaker(text: str) -> str:
    return text.partition(":")[0]


def _make_settings(mode: str, neighbour_share: float | None) -> MessageSettings:
    base = get_message_settings()
    changes: dict[str, Any] = {"retrieval": base.retrieval.model_copy(update=MODES[mode])}
    if neighbour_share is not None:
        changes["neighbour_share"] = neighbour_share
    return base.model_copy(update=changes)


def _score(
    folder: Folder, conversations: dict[str, tuple[Conversation, dict[int, str]]], settings: MessageSettings
) -> dict[str, float]:
    found: list[tuple[str, Sequence[str]]] = []
    for query in folder.queries:
        conversation, keys = conversations[str(query.get("ns", ""))]
        result = search_episodes(
            tenant_id=conversation.tenant_id,
            end_user_id=conversation.end_user_id,
            query=query["text"][:4000],
            k=DEPTH,
            settings=settings,
        )
        found.append((query["_id"], [keys[card.message_id] for card in result.cards]))
    return folder.score(found)
