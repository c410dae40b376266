"""The ingest command, from files to a release or to change requests."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from knowledge.canon.models import DomainIndex, LoreDocument, LoreRevision, Release, ReleaseState
from knowledge.canon.selectors.releases import resolve_release
from knowledge.canon.selectors.search import search_lore
from knowledge.errors import ReleaseInProgress
from reviews.change_requests.actions import imports
from reviews.models import AuditEntry, ChangeItem, ChangeRequest
from reviews.releases.selectors.live import find_live_by_slug
from tenancy.models import Tenant, World
from tests.factories.change_requests import Selmar
from tests.knowledge.transfer.samples import article_text

pytestmark = pytest.mark.django_db
SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "selmar"


def ingest(*paths: Path, domain: str = "lore", world: str = "w", **options: object) -> str:
    """What the command printed."""
    out, err = io.StringIO(), io.StringIO()
    call_command("ingest", *map(str, paths), world=world, domain=domain, stdout=out, stderr=err, **options)
    return out.getvalue() + err.getvalue()


def be_killed(*args: object, **kwargs: object) -> None:
    raise KeyboardInterrupt


def write(folder: Path, **bodies: str) -> Path:
    for slug, body in bodies.items():
        (folder / f"{slug}.md").write_text(article_text(slug, title=slug.title(), body=body))
    return folder


def latest_slugs() -> set[str]:
    index = DomainIndex.objects.get()
    slugs = LoreRevision.objects.filter(document__domain_index=index).values_list("slug", flat=True)
    return set(find_live_by_slug(index.pk, list(slugs)))


def test_a_first_load_is_live_at_once_and_is_in_the_log(tmp_path):
    text = ingest(write(tmp_path, quay="Wet stone.", tower="High stone."), initial=True)
    assert "Release 1 is live: 2 articles" in text
    assert latest_slugs() == {"quay", "tower"}
    release = resolve_release(world_id=World.objects.get().pk, domain="lore")
    assert search_lore(release, "wet").hits[0].slug == "quay"
    entry = AuditEntry.objects.get(action="release.first_loaded")
    assert entry.details["documents"] == 2


def test_a_first_load_makes_the_world_it_needs(tmp_path):
    write(tmp_path, quay="Wet.")
    assert "World 'w' of tenant 'default' is new" in ingest(tmp_path, initial=True)
    Tenant.objects.create(slug="other", name="Other")
    with pytest.raises(CommandError, match="say with --tenant"):
        ingest(tmp_path, initial=True, world="v")
    ingest(tmp_path, initial=True, world="v", tenant="other")
    assert World.objects.get(slug="v").tenant.slug == "other"


def test_a_dry_run_reports_the_same_and_writes_nothing(tmp_path):
    write(tmp_path, quay="Wet.")
    (tmp_path / "bad.md").write_text("---\nslug: [\n---\nx\n")
    with pytest.raises(CommandError) as caught:
        ingest(tmp_path, initial=True, dry_run=True, report=tmp_path / "report.json")
    assert caught.value.returncode == 1
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["created"], report["refused"], report["dry_run"]) == (1, 1, True)
    assert report["refusals"][0]["file"] == "bad.md"
    assert not World.objects.exists()


def test_one_bad_file_keeps_everything_out(tmp_path):
    write(tmp_path, quay="Wet.")
    (tmp_path / "bad.md").write_text("---\nslug: [\n---\nx\n")
    with pytest.raises(CommandError, match="import_refused") as caught:
        ingest(tmp_path, initial=True)
    assert caught.value.returncode == 2
    assert not LoreDocument.objects.exists()
    assert not Release.objects.exists()


def test_keep_going_loads_the_rest_and_still_exits_with_an_error(tmp_path):
    write(tmp_path, quay="Wet.")
    (tmp_path / "bad.md").write_text("---\nslug: [\n---\nx\n")
    with pytest.raises(CommandError) as caught:
        ingest(tmp_path, initial=True, keep_going=True)
    assert caught.value.returncode == 1
    assert latest_slugs() == {"quay"}


def test_the_same_first_load_again_changes_nothing(tmp_path):
    write(tmp_path, quay="Wet.")
    ingest(tmp_path, initial=True)
    assert "1 unchanged" in ingest(tmp_path, initial=True)
    assert Release.objects.count() == 1


@pytest.mark.parametrize("change", ["changed", "added", "missing"])
def test_a_first_load_of_something_else_is_refused_once_one_is_live(tmp_path, change):
    write(tmp_path, quay="Wet.", tower="High.")
    ingest(tmp_path, initial=True)
    if change == "missing":
        (tmp_path / "tower.md").unlink()
    else:
        write(tmp_path, **({"quay": "Dry."} if change == "changed" else {"well": "Deep."}))
    with pytest.raises(CommandError, match="first_load_not_first"):
        ingest(tmp_path, initial=True)
    assert Release.objects.count() == 1


def test_a_first_load_killed_while_building_goes_on_with_the_same_files(tmp_path, monkeypatch):
    write(tmp_path, quay="Wet.", tower="High.")

    with monkeypatch.context() as patch:
        patch.setattr(imports, "build_release", be_killed)
        with pytest.raises(KeyboardInterrupt):
            ingest(tmp_path, initial=True)
    assert Release.objects.get().state == ReleaseState.BUILDING
    assert latest_slugs() == set()
    ingest(tmp_path, initial=True)
    assert latest_slugs() == {"quay", "tower"}
    assert LoreDocument.objects.count() == 2


def test_an_unfinished_first_load_is_not_mixed_with_other_files(tmp_path, monkeypatch):
    write(tmp_path, quay="Wet.")
    with monkeypatch.context() as patch:
        patch.setattr(imports, "build_release", be_killed)
        with pytest.raises(KeyboardInterrupt):
            ingest(tmp_path, initial=True)
    write(tmp_path, tower="High.")
    with pytest.raises(CommandError, match="first_load_differs"):
        ingest(tmp_path, initial=True)
    assert "Release 1 is live" in ingest(resume=True)
    assert latest_slugs() == {"quay"}
    with pytest.raises(CommandError, match="unfinished"):
        ingest(resume=True)


def test_later_imports_become_change_requests(selmar: Selmar, tmp_path):
    world = {"world": selmar.world.slug, "tenant": selmar.tenant.slug}
    write(tmp_path, quay="Wet.", tower="High.")
    ingest(tmp_path, initial=True, **world)
    write(tmp_path, quay="Dry.", well="Deep.")
    text = ingest(tmp_path, username=_username(selmar), title="Spring tide", **world)
    request = ChangeRequest.objects.get()
    assert f"#{request.pk}" in text
    assert (request.title, request.author_id) == ("Spring tide", selmar.editor.id)
    items = dict(ChangeItem.objects.values_list("slug", "operation"))
    assert items == {"quay": "update", "well": "create"}
    assert "1 created, 1 updated, 1 unchanged" in text


def test_articles_that_swap_their_slugs_become_updates_and_are_told(selmar: Selmar, tmp_path):
    world = {"world": selmar.world.slug, "tenant": selmar.tenant.slug}
    write(tmp_path, quay="Wet.", tower="High.")
    ingest(tmp_path, initial=True, **world)
    (tmp_path / "quay.md").write_text(article_text("tower", title="Quay", body="Wet."))
    (tmp_path / "tower.md").write_text(article_text("quay", title="Tower", body="High."))
    text = ingest(tmp_path, username=_username(selmar), **world)
    assert text.count("takes the place of the live article") == 2
    assert dict(ChangeItem.objects.values_list("slug", "content__title")) == {"quay": "Tower", "tower": "Quay"}


def test_an_import_that_changes_nothing_makes_no_request(selmar: Selmar, tmp_path):
    world = {"world": selmar.world.slug, "tenant": selmar.tenant.slug}
    ingest(write(tmp_path, quay="Wet."), initial=True, **world)
    assert "no change request" in ingest(tmp_path, username=_username(selmar), **world)
    assert not ChangeRequest.objects.exists()


def test_only_new_refuses_live_slugs_with_both_places(selmar: Selmar, tmp_path):
    world = {"world": selmar.world.slug, "tenant": selmar.tenant.slug}
    ingest(write(tmp_path, quay="Wet."), initial=True, source="The old book", **world)
    write(tmp_path, quay="Dry.")
    with pytest.raises(CommandError, match=r"quay\.md:1.*the live article 'Quay' \(from The old book\)"):
        ingest(tmp_path, username=_username(selmar), only_new=True, **world)
    assert not ChangeRequest.objects.exists()


def test_an_import_without_initial_needs_a_person_with_a_role(selmar: Selmar, tmp_path):
    world = {"world": selmar.world.slug, "tenant": selmar.tenant.slug}
    write(tmp_path, quay="Wet.")
    with pytest.raises(CommandError, match="--as USERNAME"):
        ingest(tmp_path, **world)
    with pytest.raises(CommandError, match="no user"):
        ingest(tmp_path, username="nobody", **world)


def test_bad_options_are_told(selmar: Selmar, tmp_path):
    with pytest.raises(CommandError, match="Say which files"):
        ingest(initial=True)
    with pytest.raises(CommandError, match="no Markdown or JSON files"):
        ingest(tmp_path, initial=True)
    with pytest.raises(CommandError, match="domain"):
        ingest(write(tmp_path, quay="Wet."), initial=True, domain="nothing")
    with pytest.raises(CommandError, match="no world 'unheard'"):
        ingest(tmp_path, world="unheard", username="x")


def test_a_release_of_others_in_the_way_is_told(selmar: Selmar, tmp_path):
    selmar.staged({"slug": "inn", "title": "Inn", "type": "place", "language": "en", "body": "Warm."})
    with pytest.raises(CommandError, match=ReleaseInProgress.code):
        ingest(write(tmp_path, quay="Wet."), initial=True, world=selmar.world.slug, tenant=selmar.tenant.slug)


def test_the_sample_world_loads_in_both_domains():
    assert "32 created" in ingest(SAMPLES / "srd", domain="srd", initial=True)
    assert "67 created" in ingest(SAMPLES / "lore", domain="lore", initial=True)
    assert Release.objects.filter(state=ReleaseState.PUBLISHED).count() == 2


def _username(selmar: Selmar) -> str:
    from django.contrib.auth import get_user_model

    return get_user_model().objects.get(pk=selmar.editor.id).get_username()
