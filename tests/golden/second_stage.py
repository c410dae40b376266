"""A chat model on loopback that proposes what a test says, or the worst that can be said; and its runs."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from factcheck import tasks
from factcheck.extraction.actions.runs import extract_user
from factcheck.extraction.models import ExtractionRun
from tenancy.models import EndUser, Tenant
from tests.loopback_openai import LoopbackOpenAI, serve_openai

ABOUT: dict[str, Any] = {"operation": "ADD", "fact": None, "subject": "user", "stance": "asserts", "confidence": 0.95}


def propose(type_: str, key: str, value: str, *quotes: tuple[int, str], **more: Any) -> dict[str, Any]:
    said = [{"message": place, "text": text} for place, text in quotes]
    return {**ABOUT, "type": type_, "key": key, "value": value, "quotes": said, **more}


@pytest.fixture
def model(settings: Any) -> Iterator[LoopbackOpenAI]:
    """A chat model whose next answers a test writes; it is asked about whatever it is given."""
    settings.EXTRACTION_PROPOSER, settings.EXTRACTION_MODEL = "openai", "reader"
    settings.OPENAI_API_KEY = "test"
    with serve_openai() as server:
        settings.OPENAI_BASE_URL = server.url
        yield server


@pytest.fixture
def user(talk: Any) -> EndUser:
    Tenant.objects.update(extraction="on")
    return EndUser.objects.get(external_id=talk.user)


def answer(model: LoopbackOpenAI, *deltas: dict[str, Any]) -> None:
    model.chat = lambda _: json.dumps({"deltas": list(deltas)}, ensure_ascii=False)


def extract(user: EndUser) -> ExtractionRun:
    """As the worker does that `POST users/{id}/extractions` queues."""
    [run] = extract_user(tenant_id=user.tenant_id, end_user_id=user.pk, triggered_by="manual")
    return run


def verdicts(run: ExtractionRun) -> list[str]:
    return [row.verdict for row in run.delta_rows.order_by("position")]


def lie(body: dict[str, Any]) -> str:
    """The worst that can be said of any talk: true words for what they do not say."""
    lines = [json.loads(row) for row in body["messages"][1]["content"].splitlines() if row.startswith('{"message"')]
    quotes = [(line["message"], line["text"][:500]) for line in lines if line["role"] == "user"][-3:]
    claims = [
        ("hard_ban", "formal", "formal"), ("hard_ban", "zara", "Zara"), ("hard_ban", "minimalism", "минимализм"),
        ("allergy", "leopard", "леопард"), ("budget", "general", "1,000,000 AED"), ("body_params", "size", "M"),
        ("body_params", "size", "MD"), ("life_event", "dress", "dress"), ("instruction", "wish", "casual"),
        ("brand_preferences", "zara", "Zara"), ("color_preferences", "leopard", "леопард"),
        ("behavior_patterns", "style", "casual"), ("emotional_patterns", "mood", "мечтал"),
    ]  # fmt: skip
    proposed = [propose(type_, key, value, quote) for type_, key, value in claims for quote in quotes[-1:]]
    proposed += [propose("brand_preferences", "casual", "casual", *quotes)]
    return json.dumps({"deltas": proposed}, ensure_ascii=False)


@pytest.fixture
def rest(api: Any, model: LoopbackOpenAI, monkeypatch: Any, django_capture_on_commit_callbacks: Any) -> Any:
    """The REST interface, whose queued runs are worked off at once."""
    Tenant.objects.update(extraction="on")
    monkeypatch.setattr(tasks.extract_user, "apply_async", lambda arguments, **_: tasks.extract_user(*arguments))

    def talk(user_id: str, *texts: str, days_ago: float = 0) -> None:
        opened = api.post("conversations", {"user_id": user_id}).json()
        sent_at = (timezone.now() - dt.timedelta(days=days_ago)).isoformat()
        messages = [{"role": "user", "content": text, "sent_at": sent_at} for text in texts]
        with django_capture_on_commit_callbacks(execute=True):
            for message in messages:
                assert api.post(f"conversations/{opened['id']}/messages", message).status_code in (200, 201)

    api.talk = talk
    return api
