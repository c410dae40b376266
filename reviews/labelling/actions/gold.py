"""Gold items are those of a file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from reviews.errors import InvalidGoldFile
from reviews.labelling.core.gold_items import GoldLine, InvalidGoldLine, parse_gold_line
from reviews.labelling.models import GoldItem

SHIPPED_GOLD = "qa/extraction/gold.jsonl"


@dataclass(frozen=True, slots=True)
class GoldLoad:
    """What became of the items of a file, and of those that it no longer has."""

    added: int
    changed: int
    retired: int


def parse_gold_file(text: str) -> list[GoldLine]:
    """The items of JSON lines. Raises InvalidGoldFile."""
    found: dict[str, GoldLine] = {}
    for number, row in enumerate(text.splitlines(), 1):
        if not row.strip():
            continue
        try:
            line = parse_gold_line(json.loads(row))
        except (ValueError, InvalidGoldLine) as error:
            raise InvalidGoldFile(f"Line {number}: {error}", line=number) from error
        if line.slug in found:
            raise InvalidGoldFile(f"Line {number}: there is a line {line.slug} already.", line=number)
        found[line.slug] = line
    if not found:
        raise InvalidGoldFile("The file holds no item.", line=0)
    return list(found.values())


def load_gold_items(lines: Iterable[GoldLine]) -> GoldLoad:
    """Makes the gold items those of the lines: others are retired, and drawn no more. Loading twice changes nothing."""
    with transaction.atomic():
        known = {row.slug: row for row in GoldItem.objects.select_for_update().order_by("pk")}
        added = changed = 0
        kept = set()
        for line in lines:
            kept.add(line.slug)
            values: dict[str, Any] = {
                "language": line.language, "kind": line.kind, "content": line.content, "verdict": line.verdict,
                "is_planted": line.is_planted, "reason": line.reason, "is_retired": False,
            }  # fmt: skip
            row = known.get(line.slug)
            if row is None:
                GoldItem.objects.create(slug=line.slug, **values)
                added += 1
            elif any(getattr(row, name) != value for name, value in values.items()):
                GoldItem.objects.filter(pk=row.pk).update(**values)
                changed += 1
        gone = [row.pk for slug, row in known.items() if slug not in kept and not row.is_retired]
        GoldItem.objects.filter(pk__in=gone).update(is_retired=True)
        return GoldLoad(added, changed, len(gone))
