"""Trials, kept in Redis for an hour: a workplace, not a record. Words are sealed as facts are."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.utils import timezone

from factcheck.extraction.errors import UnknownTrial
from factcheck.extraction.sealing import open_document, seal_document
from memoryproject.redis import build_key, get_redis

TTL_SECONDS = 3600
LOST_SECONDS = 1800
"""A trial that was asked for so long ago comes back no more: its worker is gone."""
KIND = "trial"


@dataclass(frozen=True, slots=True)
class PromptChoice:
    """One side's prompts. `kind`: `shipped`, `no_examples`, or `upload` with its language, file name and text."""

    kind: str
    language: str = ""
    filename: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class TrialRequest:
    """What is asked: two prompts about the last messages of players, or about a golden file by its language."""

    tenant_id: int
    user_ids: tuple[int, ...]
    golden: str
    a: PromptChoice
    b: PromptChoice


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial: drafted, asked for since `asked_at` (a Unix time), or over with its result."""

    id: str
    request: TrialRequest
    made_by: int
    asked_at: float | None = None
    result: dict[str, Any] | None = None
    error: str = ""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.result is not None or bool(self.error) or self.is_lost

    @property
    def is_lost(self) -> bool:
        """Whether whoever worked on it is gone."""
        if self.result is not None or self.error or self.asked_at is None:
            return False
        return timezone.now().timestamp() - self.asked_at > LOST_SECONDS


def create_trial(request: TrialRequest, *, made_by: int, trial_id: str) -> str:
    """The id of the draft; a form that is sent twice makes one. Raises redis.RedisError, FactKeysMissing."""
    trial = Trial(str(uuid.UUID(trial_id)), request, made_by)
    client = get_redis()
    for user_id in request.user_ids:
        key = _build_index_key(user_id)
        client.sadd(key, trial.id)
        client.expire(key, TTL_SECONDS * 2)
    client.set(_build_key(trial.id), _dump(trial), nx=True, ex=TTL_SECONDS)
    return trial.id


def get_trial(trial_id: str) -> Trial:
    """The trial. Raises UnknownTrial (an hour is over, or its words were forgotten), redis.RedisError."""
    stored = get_redis().get(_build_key(trial_id))
    if stored is None:
        raise UnknownTrial("There is no such trial: it is kept for an hour, and goes with what is forgotten.")
    return _load(trial_id, json.loads(stored))


def begin_trial(trial: Trial) -> bool:
    """Whether it is asked for now, and was not before."""
    if not get_redis().set(_build_key(trial.id, "asked"), 1, nx=True, ex=TTL_SECONDS):
        return False
    return _store(replace(trial, asked_at=timezone.now().timestamp()))


def take_trial(trial_id: str) -> bool:
    """Whether nobody works on it, or did: a model is paid once, however often a task comes."""
    return bool(get_redis().set(_build_key(trial_id, "taken"), 1, nx=True, ex=TTL_SECONDS))


def finish_trial(trial: Trial, *, result: dict[str, Any] | None = None, error: str = "") -> bool:
    """Whether it was kept: what was forgotten meanwhile is not."""
    return _store(replace(trial, result=result, error=error))


def drop_trials(end_user_ids: Iterable[int]) -> int:
    """How many trials over the players' words are gone. Raises redis.RedisError."""
    client, gone = get_redis(), 0
    for user_id in end_user_ids:
        key = _build_index_key(user_id)
        ids = [each.decode() if isinstance(each, bytes) else each for each in client.smembers(key)]
        gone += client.delete(*(_build_key(each) for each in ids)) if ids else 0
        client.delete(key)
    return gone


def _store(trial: Trial) -> bool:
    return bool(get_redis().set(_build_key(trial.id), _dump(trial), xx=True, ex=TTL_SECONDS))


def _dump(trial: Trial) -> str:
    words = {"request": asdict(trial.request), "result": trial.result}
    sealed, _ = seal_document(words, tenant_id=trial.request.tenant_id, end_user_id=0, kind=KIND)
    return json.dumps(
        {
            "tenant_id": trial.request.tenant_id,
            "made_by": trial.made_by,
            "asked_at": trial.asked_at,
            "error": trial.error,
            "sealed": sealed.hex(),
        }
    )


def _load(trial_id: str, stored: dict[str, Any]) -> Trial:
    words = open_document(bytes.fromhex(stored["sealed"]), tenant_id=stored["tenant_id"], end_user_id=0, kind=KIND)
    asked = words["request"]
    request = TrialRequest(
        asked["tenant_id"],
        tuple(asked["user_ids"]),
        asked["golden"],
        PromptChoice(**asked["a"]),
        PromptChoice(**asked["b"]),
    )
    return Trial(trial_id, request, stored["made_by"], stored["asked_at"], words["result"], stored["error"])


def _build_key(trial_id: str, mark: str = "") -> str:
    return build_key("extraction-trial", trial_id, *([mark] if mark else []))


def _build_index_key(end_user_id: int) -> str:
    return build_key("extraction-trials-of", end_user_id)
