"""The sample's thread: an agent that prepares a session stopped at a question. Doing it again changes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from episodes.threads.actions.checkpoints import put_checkpoint
from episodes.threads.actions.threads import Bindings, write_thread
from episodes.threads.actions.writes import put_writes
from episodes.threads.core.drafts import CheckpointDraft, InterruptDraft, Place, TaskWrites, WriteDraft
from episodes.threads.core.values import INTERRUPT, JSON, StateValue, dump_json
from episodes.threads.models import WorldThreadPolicy
from tenancy.models import World

AUTHOR = "demo"


def load_thread(world: World, source: Path) -> None:
    """The thread as its file says, and how long the world keeps threads."""
    told = json.loads(source.read_text(encoding="utf-8"))
    place = Place(world.tenant_id, world.pk, told["thread_id"])
    write_thread(place, Bindings(title=told["title"]))
    for each in told["checkpoints"]:
        put_checkpoint(place, _read_checkpoint(each))
    for asked in told["questions"]:
        put_writes(place, _read_question(asked), author=AUTHOR)
    WorldThreadPolicy.objects.get_or_create(tenant_id=world.tenant_id, world=world)


def _read_checkpoint(told: dict[str, Any]) -> CheckpointDraft:
    return CheckpointDraft(
        checkpoint={"v": 1, "id": told["id"], "channel_versions": told["versions"], "versions_seen": {}},
        parent_id=told.get("parent_id", ""),
        metadata={"source": told["source"], "step": told["step"], "run_id": "demo"},
        values={name: StateValue(JSON, dump_json(value)) for name, value in told["values"].items()},
    )


def _read_question(told: dict[str, Any]) -> TaskWrites:
    return TaskWrites(
        checkpoint_id=told["checkpoint_id"],
        task_id=told["task_id"],
        writes=[WriteDraft(INTERRUPT, StateValue(JSON, dump_json(told["value"])))],
        interrupts=[InterruptDraft(told["graph_id"], told["value"], told["schema"], told["timeout_seconds"])],
    )
