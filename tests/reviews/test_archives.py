"""Backups: what comes back is what was there."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from knowledge.canon.models import DomainIndex, LorePassage, Release
from knowledge.canon.selectors.releases import resolve_release
from knowledge.canon.selectors.search import search_lore
from knowledge.errors import EmbedderUnavailable
from knowledge.search.embedding.offline import OfflineEmbedder
from reviews.models import AuditEntry, GoldenQuery
from reviews.releases.actions.releases import roll_back_release
from tests.factories.change_requests import Selmar

pytestmark = pytest.mark.django_db
INN = {"slug": "inn", "title": "Inn", "type": "place", "language": "en", "body": "A warm inn by the river."}
QUAY = {"slug": "quay", "title": "Quay", "type": "place", "language": "en", "body": "A wet quay of grey stone."}
BAZAAR = {"slug": "bazar", "title": "Базар", "type": "place", "language": "ru", "body": "Шумный базар у реки."}
QUERIES = ["warm inn", "river", "wet stone", "шумный базар", "cold cellar", "the hidden door"]


def run(command: str, *args: object, **options: object) -> str:
    out, err = io.StringIO(), io.StringIO()
    call_command(command, *map(str, args), stdout=out, stderr=err, **options)
    return out.getvalue() + err.getvalue()


@pytest.fixture
def storied(selmar: Selmar) -> Selmar:
    """Four releases: two in a line, the first again, a fourth built on it, and a fifth on the stage."""
    selmar.publish(INN | {"aliases": ["Tavern"]}, QUAY)
    selmar.publish(INN | {"body": "A cold cellar under the inn.", "aliases": ["Tavern"]}, BAZAAR)
    roll_back_release(actor=selmar.reviewer, domain_index_id=selmar.index.pk, to_number=1, reason="too cold")
    selmar.publish(QUAY | {"body": "The hidden door of the quay.", "audience": ["npc:edda"], "fields": {"height": 3}})
    selmar.staged(INN | {"body": "Never published."})
    GoldenQuery.objects.create(
        tenant=selmar.tenant, domain_index=selmar.index, key="warm", query="warm", language="en", must_hit=["inn"]
    )
    return selmar


def picture(index: DomainIndex) -> dict[str, object]:
    """All that a backup has to keep of a domain, ids and scoped hashes aside."""
    found: dict[str, object] = {}
    releases = Release.objects.filter(domain_index=index, published_at__isnull=False).order_by("number")
    for release in releases:
        resolved = resolve_release(world_id=index.world_id, domain=index.domain, release=release.number)
        for query in QUERIES:
            hits = search_lore(resolved, query, k=10, audience=("public", "npc:edda")).hits
            found[f"{release.number} {query}"] = [
                (hit.slug, hit.text, hit.version, hit.revision_number, round(hit.score, 6)) for hit in hits
            ]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT release_number, delta, COUNT(*) FROM knowledge_lexemecount WHERE domain_index_id = %s AND"
            " release_number <= %s GROUP BY 1, 2 ORDER BY 1, 2",
            [index.pk, releases.last().number],
        )
        found["counts"] = cursor.fetchall()
    found["releases"] = list(
        releases.values_list(
            "number", "base_number", "state", "passage_count", "document_count", "length_pivot", "published_at"
        )
    )
    found["passages"] = sorted(
        (
            row[0],
            row[1],
            row[2],
            row[3],
            row[4],
            row[5].to_text(),
            list(row[6]) if row[6] is not None else None,
            len(row[7]),
        )
        for row in LorePassage.objects.filter(domain_index=index, added_in__lte=releases.last().number).values_list(
            "chunk__text", "chunk__version", "added_in", "type", "embedding_state", "bm25", "embedding", "lexemes"
        )
    )
    found["latest"] = resolve_release(world_id=index.world_id, domain=index.domain).number
    found["golden"] = list(GoldenQuery.objects.filter(domain_index=index).values_list("key", "query", "must_hit"))
    return found


def back_up(world: Selmar, folder: Path, **options: object) -> Path:
    path = folder / "canon.zip"
    run("backup", world=world.world.slug, tenant=world.tenant.slug, output=path, **options)
    return path


@pytest.mark.parametrize("with_vectors", [False, True])
def test_what_comes_back_is_what_was_there(storied: Selmar, tmp_path, with_vectors):
    before = picture(storied.index)
    assert before["3 the hidden door"][0][0] == "quay"
    path = back_up(storied, tmp_path, with_vectors=with_vectors)
    text = run("restore", path, as_world="copy")
    assert "'copy'" in text
    copy = DomainIndex.objects.get(world__slug="copy")
    assert picture(copy) == before
    assert copy.pk != storied.index.pk
    assert AuditEntry.objects.filter(action="domain_index.restored").count() == 1


def test_the_release_on_the_stage_is_left_out(storied: Selmar, tmp_path):
    run("restore", back_up(storied, tmp_path), as_world="copy")
    copy = DomainIndex.objects.get(world__slug="copy")
    assert set(copy.releases.values_list("state", flat=True)) == {"published"}
    removed = LorePassage.objects.filter(domain_index=copy, removed_in__gt=3)
    assert not removed.exists()


def test_a_restored_world_goes_on(storied: Selmar, tmp_path):
    run("restore", back_up(storied, tmp_path), as_world="copy")
    before = picture(DomainIndex.objects.get(world__slug="copy"))
    run("reindex", world="copy", tenant=storied.tenant.slug, swap=True)
    after = picture(DomainIndex.objects.get(world__slug="copy"))
    assert after["latest"] == before["latest"] + 1
    assert [hit[0] for hit in after[f"{after['latest']} warm inn"]] == ["inn", "quay"][:1]


def test_secrets_are_not_in_a_backup(storied: Selmar, tmp_path):
    path = back_up(storied, tmp_path)
    assert path.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(path) as archive:
        names = {name.rsplit("/", 1)[-1] for name in archive.namelist()}
        manifest = json.loads(archive.read("manifest.json"))
    assert names == {
        "manifest.json", "vector_spaces.jsonl", "documents.jsonl", "revisions.jsonl", "publications.jsonl",
        "chunks.jsonl", "releases.jsonl", "edits.jsonl", "passages.jsonl", "aliases.jsonl", "golden_queries.jsonl",
    }  # fmt: skip
    assert manifest["format_version"] == 1


def test_a_domain_with_releases_is_not_restored_into(storied: Selmar, tmp_path):
    path = back_up(storied, tmp_path)
    before = picture(storied.index)
    with pytest.raises(CommandError, match="domain_not_empty"):
        run("restore", path)
    assert picture(storied.index) == before


def damage(path: Path, change) -> None:
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    change(entries)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)


def newer(entries):
    entries["manifest.json"] = entries["manifest.json"].replace(b'"format_version": 1', b'"format_version": 2')


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda entries: entries.pop("manifest.json"), "archive_damaged"),
        (lambda entries: entries.pop("lore/chunks.jsonl"), "archive_damaged"),
        (lambda entries: entries.update({"lore/chunks.jsonl": b"{}\n"}), "archive_damaged"),
        (lambda entries: entries.update({"manifest.json": b"[]"}), "archive_damaged"),
        (newer, "archive_format_unknown"),
    ],
)
def test_damaged_and_newer_files_are_refused(storied: Selmar, tmp_path, change, code):
    path = back_up(storied, tmp_path)
    damage(path, change)
    with pytest.raises(CommandError, match=code):
        run("restore", path, as_world="copy")
    assert not DomainIndex.objects.filter(world__slug="copy").exists()


@pytest.mark.parametrize("keep", [0, 100, -100])
def test_a_file_that_is_cut_off_is_refused(storied: Selmar, tmp_path, keep):
    path = back_up(storied, tmp_path)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(CommandError, match="archive_damaged"):
        run("restore", path, as_world="copy")


def test_a_backup_does_not_write_over_a_file(storied: Selmar, tmp_path):
    path = back_up(storied, tmp_path)
    before = path.read_bytes()
    with pytest.raises(CommandError, match="--force"):
        back_up(storied, tmp_path)
    assert path.read_bytes() == before
    back_up(storied, tmp_path, force=True)


def test_without_an_embedder_passages_come_back_waiting(storied: Selmar, tmp_path, monkeypatch):
    path = back_up(storied, tmp_path)

    def be_down(self, texts):
        raise EmbedderUnavailable("down")

    monkeypatch.setattr(OfflineEmbedder, "embed_documents", be_down)
    assert "wait for their vector" in run("restore", path, as_world="copy")
    states = LorePassage.objects.filter(domain_index__world__slug="copy").values_list("embedding_state", flat=True)
    assert set(states) == {"pending"}
