"""A month of talk and two quiet ones: what forgetting by use archived, and that nothing that was in use went."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

import pytest
from django.conf import settings
from django.db import connection

from knowledge.notebook.actions.curation import curate_entry
from knowledge.notebook.actions.entries import write_entry
from knowledge.notebook.actions.forgetting import archive_everywhere
from knowledge.notebook.actions.notebooks import open_own_notebook
from knowledge.notebook.core.drafts import Draft
from knowledge.notebook.models import NotebookEntry, NotebookReceipt
from knowledge.notebook.selectors.entries import note_use
from knowledge.notebook.selectors.search import search_notebook
from tenancy.actions.worlds import ensure_tenant, ensure_world

pytestmark = pytest.mark.django_db
FOLDER = settings.BASE_DIR / "qa" / "notebook"
DAYS = 90
QUIET_STEP = 7
"""After the month nights are played by the week: what is archived at all is archived at the next one."""


@dataclass
class Month:
    """What was seen while the months were played."""

    kinds: dict[int, str] = field(default_factory=dict)
    archived: dict[int, int] = field(default_factory=dict)
    """Entry to the day on which it was archived."""
    missed: list[str] = field(default_factory=list)

    def count(self, kind: str) -> tuple[int, int]:
        """Of the notes of a kind: how many there were, and how many were archived."""
        ids = [pk for pk, each in self.kinds.items() if each == kind]
        return len(ids), len(set(ids) & set(self.archived))


def pass_days(days: int) -> None:
    """Everything that was written or used lies so much longer ago."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE knowledge_notebookentry SET updated_at = updated_at - %(days)s * interval '1 day', "
            "created_at = created_at - %(days)s * interval '1 day', "
            "last_used_at = last_used_at - %(days)s * interval '1 day'",
            {"days": days},
        )


def list_days():
    return [*range(1, 31), *range(34, DAYS + 1, QUIET_STEP)]


def play(seat, told) -> Month:
    month, before = Month(), 0
    for day in list_days():
        pass_days(day - before)
        for note in (each for each in told["notes"] if before < each["day"] <= day):
            entry = write_entry(seat, Draft("note", "", note["text"])).entry
            month.kinds[entry.pk] = note["kind"]
            if note["kind"] == "pin":
                curate_entry(seat, entry, is_pinned=True)
        for asked in (each for each in told["questions"] if before < each["day"] <= day):
            hits = search_notebook(seat, asked["query"], k=3).hits
            note_use([hit.entry for hit in hits[:1]])
            if not any(asked["finds"] in hit.text for hit in hits[:1]):
                month.missed.append(f"day {day}: {asked['query']}")
        archive_everywhere()
        gone = NotebookEntry.objects.filter(state="archived").exclude(pk__in=month.archived)
        month.archived |= dict.fromkeys(gone.values_list("pk", flat=True), day)
        before = day
    return month


def test_what_a_month_of_talk_leaves_after_two_quiet_months():
    tenant = ensure_tenant(slug="studio", name="Studio")
    world = ensure_world(tenant_id=tenant.pk, slug="ashfall", name="Ashfall")
    seat = open_own_notebook(
        tenant_id=tenant.pk, world_id=world.pk, slug="talk", agent="companion", end_user_id=None, title="Talk"
    )
    told = json.loads((FOLDER / "month.json").read_text(encoding="utf-8"))
    month = play(seat, told)
    assert month.missed == []
    assert {kind: month.count(kind)[1] for kind in ("keep", "pin")} == {"keep": 0, "pin": 0}
    asked = {pk for pk in month.kinds if any(each["finds"] in NotebookEntry.objects.get(pk=pk).content
                                             for each in told["questions"] if each["day"] > 30)}  # fmt: skip
    assert asked
    assert not asked & set(month.archived)
    assert min(month.archived.values()) > 30
    assert month.count("small")[1] > 0.8 * month.count("small")[0]
    receipts = NotebookReceipt.objects.filter(kind="archiving").values_list("counts", flat=True)
    assert sum(counts["entries"] for counts in receipts) == len(month.archived)
    table = re.findall(r"^\| `(\w+)` \|.*\| (\d+) \| (\d+) \|$", (FOLDER / "README.md").read_text(), re.MULTILINE)
    assert {kind: (int(count), int(gone)) for kind, count, gone in table} == {
        kind: month.count(kind) for kind in ("small", "ask", "keep", "pin")
    }
