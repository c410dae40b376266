"""Recall@5, hit@1 and MRR of the search in a campaign's summaries, with dates of the question and without."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from django.utils import timezone

from bench.report import Report
from episodes.campaigns.actions.campaigns import open_campaign
from episodes.campaigns.actions.passages import embed_summaries
from episodes.campaigns.actions.scenes import record_summary
from episodes.campaigns.core.summaries import parse_summary
from episodes.campaigns.selectors import search as play_search
from knowledge.config import get_episode_settings
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tenancy.models import World

FOLDER = Path(__file__).resolve().parent.parent / "qa" / "summaries"
DEPTH = 5
"""Of 16 scenes."""


def run(options: argparse.Namespace) -> Report:
    """Stores each campaign and asks its questions twice."""
    report = Report("summaries")
    world = ensure_world(tenant_id=ensure_tenant(slug="bench").pk, slug="bench")
    settings = get_episode_settings()
    rows = []
    for path in sorted(FOLDER.glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        _store(world, path.stem, [line for line in lines if "summary_id" in line])
        queries = [line for line in lines if "query" in line]
        hits = {}
        for shown, weight in (("without dates", 0.0), ("with dates", settings.date_weight)):
            changed = settings.model_copy(update={"date_weight": weight})
            with patch.object(play_search, "get_episode_settings", lambda changed=changed: changed):
                scores = _score(world, path.stem, queries)
            hits[shown] = scores[1]
            rows.append([path.stem, shown, len(queries), *scores])
        report.figure(f"hit@1_gained_{path.stem}", hits["with dates"] - hits["without dates"], at_least=0.0)
    report.table(["set", "mode", "questions", f"recall@{DEPTH}", "hit@1", "mrr"], rows)
    return report


def _store(world: World, campaign_id: str, scenes: Sequence[Mapping[str, Any]]) -> None:
    where = {"tenant_id": world.tenant_id, "world_id": world.pk}
    campaign = open_campaign(**where, external_id=campaign_id).campaign
    for scene in scenes:
        body = {
            "summary_id": scene["summary_id"],
            "campaign_id": campaign_id,
            "party_id": f"party_{campaign_id}",
            "scene_id": scene["summary_id"],
            "when": scene["when"],
            "who": {"players": ["player"], "npcs": []},
            "where": {"location_id": scene["location_id"]},
            "what": {"event": scene["event"], "outcome": "success"},
            "notes": scene["notes"],
        }
        record_summary(**where, draft=parse_summary(body, now=timezone.now()))
    embed_summaries(campaign.pk)


def _score(world: World, campaign_id: str, queries: Sequence[Mapping[str, Any]]) -> list[float]:
    rows = []
    for query in queries:
        result = play_search.search_summaries(
            tenant_id=world.tenant_id, world_id=world.pk, campaign_id=campaign_id, query=query["query"], k=DEPTH
        )
        found = [hit.summary.summary_id in query["answers"] for hit in result.hits]
        place = found.index(True) + 1 if any(found) else None
        rows.append((sum(found) / len(query["answers"]), float(place == 1), 1 / place if place else 0.0))
    return [float(value) for value in np.mean(rows, axis=0)]
