"""`qa/relevance_filter`: turns that need a rule of the sample world, and turns that need none."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings

from devtools.demo.load import TENANT_SLUG, WORLD_SLUG, load_canon
from runtime.config import load_budgets
from runtime.context.request import ContextRequest
from runtime.context.sources.canon import find_canon
from tests.factories.tenants import make_world

CASES = Path(settings.BASE_DIR) / "qa" / "relevance_filter" / "selmar.jsonl"


@pytest.mark.django_db
def test_rules_of_the_sample_world_are_told_where_turns_need_them_and_seldom_elsewhere():
    world = make_world(WORLD_SLUG, tenant=TENANT_SLUG)
    load_canon(world)
    budget = load_budgets().to_budget()
    counts: dict[tuple[str, bool], Counter[str]] = {}
    for line in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        ask = ContextRequest(tenant_id=world.tenant_id, world_id=world.pk, message=case["message"], is_preview=True)
        (rules,) = (layer.items for layer in find_canon(ask, budget).layers if layer.name == "rules")
        wanted = [item for item in rules if item.provenance.ids["slug"] in case["rules"]] if case["rules"] else rules
        count = counts.setdefault((case["language"], bool(case["rules"])), Counter())
        count.update(cases=1, found=bool(wanted), told=any(item.is_relevant for item in wanted))
    least = {"en": 0.95, "ru": 0.9, "ar": 0.75, "zh": 0.75}
    for (language, is_needed), count in counts.items():
        found, told = count["found"], count["told"]
        if is_needed:
            assert found >= 0.9 * count["cases"], (language, count)
            assert told >= least[language] * found, (language, count)
        else:
            assert found >= 0.5 * count["cases"], (language, count)
            assert told <= 0.1 * count["cases"], (language, count)
    assert len(counts) == 2 * len(least)
