"""Lorebooks become change requests, and come back; what came once does not come twice."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge.canon.selectors.releases import resolve_release
from knowledge.lorebooks.core.book import Entry
from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.files import LoreFile, convert_file, read_document, read_lore_file, write_png_file
from reviews.change_requests.selectors.bulk_edits import ArticleFilter
from reviews.lorebooks.actions import import_lorebook
from reviews.lorebooks.core.articles import ImportDefaults, make_article, make_entry
from reviews.lorebooks.core.entry_settings import read_settings, write_settings
from reviews.lorebooks.core.origins import MAX_ORIGIN_LENGTH
from reviews.lorebooks.plans import LorebookImport, list_unkept, plan_import
from reviews.lorebooks.selectors import build_world_book
from reviews.models import ChangeRequest
from tests.factories.canon import article
from tests.factories.change_requests import Selmar, make_key_actor
from tests.knowledge.lorebooks.corpus import CORPUS, load

BOOKS = [name for name in CORPUS if read_document(load(name)).book.entries]
GATE = article("moon-gate", "The gate of the [[grey-river|river folk]] {{user}}.", aliases=["Gate"], tags=["gate"])


def bring(selmar: Selmar, file: LoreFile, **more: Any) -> LorebookImport:
    return import_lorebook(actor=selmar.editor, world_id=selmar.world.pk, domain="lore", file=file, **more)


def publish(selmar: Selmar, done: LorebookImport) -> None:
    from reviews.releases.actions.releases import swap_release
    from reviews.releases.actions.stage import stage_approved
    from reviews.tasks import stage_release

    requests = list(ChangeRequest.objects.filter(pk__in=done.change_request_ids))
    for request in requests:
        selmar.approve(request)
    release = stage_approved(
        actor=selmar.reviewer, domain_index_id=selmar.index.pk, change_request_ids=[each.pk for each in requests]
    )
    stage_release(release.pk)
    swap_release(actor=selmar.reviewer, release_id=release.pk)


def export(selmar: Selmar, target: FileFormat, **chosen: Any) -> LoreFile:
    release = resolve_release(world_id=selmar.world.pk, domain="lore")
    file = build_world_book(release, name="Main", audience=None, chosen=ArticleFilter(**chosen))
    return read_document(json.loads(json.dumps(convert_file(file, target).document)))


def test_settings_are_lines_that_are_read_back() -> None:
    for name in BOOKS:
        for entry in read_document(load(name)).book.entries:
            read = read_settings(write_settings(entry))
            kept = replace(Entry(uid=entry.uid), **read.fields)
            for field in ("order", "position", "depth", "role", "secondary_keys", "logic", "groups", "probability"):
                assert getattr(kept, field) == getattr(entry, field), (name, field)
    assert read_settings(["order=many", "nonsense", "position=nowhere", "key=/a=b/", 3]).keys == ("/a=b/",)


@pytest.mark.parametrize("name", BOOKS)
def test_an_entry_becomes_a_valid_article_and_an_entry_again(name: str) -> None:
    from knowledge.canon.core.article import parse_article

    for entry in read_document(load(name)).book.entries:
        if not entry.content:
            continue
        made = parse_article(make_article(entry, "a-slug", "lorebook x #1", ImportDefaults()).content)
        again = make_entry(made)
        assert set(again.keys) >= {key.strip() for key in entry.keys if key.strip()}
        assert again.content.split() == entry.content.split() or entry.decorators
        assert (again.order, again.position) == (entry.order, entry.position) or entry.decorators


def test_nothing_is_live_before_people_agree(selmar: Selmar) -> None:
    done = bring(selmar, read_document(load("st-1.18-zh")), title="From a lorebook")
    request = ChangeRequest.objects.get(pk__in=done.change_request_ids)
    assert (request.state, request.items.count()) == ("in_review", 3)
    assert done.count() == {"created": 3, "updated": 0, "unchanged": 0, "pending": 0, "skipped": 0}
    assert selmar.live(done.entries[0].slug) is None


@pytest.mark.parametrize("name", ["st-full", "card-v3-zh", "risu-odd", "novelai-4", "agnai-ar", "lorebook-v3-ru"])
def test_importing_twice_changes_nothing_before_and_after_it_is_live(selmar: Selmar, name: str) -> None:
    file = read_document(load(name))
    first = bring(selmar, file, with_disabled=True)
    assert first.count()["created"] > 0
    waiting = bring(selmar, file, with_disabled=True)
    assert (waiting.change_request_ids, waiting.count()["pending"]) == ((), first.count()["created"])
    publish(selmar, first)
    again = bring(selmar, file, with_disabled=True)
    assert again.change_request_ids == ()
    assert again.count()["unchanged"] == first.count()["created"]
    assert [each.slug for each in again.entries] == [each.slug for each in first.entries]


@pytest.mark.parametrize("target", [each for each in FileFormat if each not in {FileFormat.CARD_V1, FileFormat.AGNAI}])
def test_canon_that_went_out_comes_back_unchanged(selmar: Selmar, target: FileFormat) -> None:
    other = article("grey-river", "It flows.", title="Серая река", fields={"length_km": 30})
    selmar.publish(GATE, other, article("secret", "Hush.", audience=["npc:mira"]))
    file = export(selmar, target)
    assert bring(selmar, file).count()["unchanged"] == 3
    assert ChangeRequest.objects.count() == 1


def test_an_edit_outside_changes_that_article_alone_and_keeps_what_entries_do_not_say(selmar: Selmar) -> None:
    selmar.publish(GATE, article("grey-river", "It flows.", fields={"length_km": 30}, tags=["water"]))
    for target in (FileFormat.SILLYTAVERN, FileFormat.CARD_V3, FileFormat.RISU):
        file = export(selmar, target)
        entry = next(each for each in file.book.entries if each.memory37_id == "grey-river")
        edited = replace(entry, content=f"It froze, says {target}.")
        book = replace(file.book, entries=tuple(edited if each is entry else each for each in file.book.entries))
        done = bring(selmar, replace(file, book=book))
        assert (done.count()["updated"], done.count()["unchanged"]) == (1, 1)
        content = ChangeRequest.objects.get(pk=done.change_request_ids[0]).items.get().content
        assert content["body"] == f"It froze, says {target}."
        assert (content["fields"], content["tags"], content["aliases"]) == ({"length_km": 30}, ["water"], [])


def export_as_reader(selmar: Selmar, target: FileFormat) -> LoreFile:
    release = resolve_release(world_id=selmar.world.pk, domain="lore")
    file = build_world_book(release, name="Main", audience=("public",))
    return read_document(json.loads(json.dumps(convert_file(file, target).document)))


@pytest.mark.parametrize("target", [FileFormat.SILLYTAVERN, FileFormat.CARD_V2, FileFormat.RISU])
def test_links_to_what_the_reader_may_not_know_come_back_unchanged(selmar: Selmar, target: FileFormat) -> None:
    body = "Ask at [[grey-river]].\n\nNobody names the [[drowned-king]]."
    river = article("grey-river", "It flows.", title="Серая река")
    selmar.publish(article("moon-gate", body), river, article("drowned-king", "Hush.", audience=["npc:mira"]))
    file = export_as_reader(selmar, target)
    gate = next(each for each in file.book.entries if each.memory37_id == "moon-gate")
    assert "Drowned King" not in gate.content
    assert bring(selmar, file).count() == {"created": 0, "updated": 0, "unchanged": 2, "pending": 0, "skipped": 0}


def test_an_edited_line_leaves_links_of_other_lines_and_tells_of_its_own(selmar: Selmar) -> None:
    body = "Ask at [[grey-river|the river]].\n\nNobody names the [[drowned-king]].\nIt shuts at dusk."
    king = article("drowned-king", "Hush.", audience=["npc:mira"])
    selmar.publish(article("moon-gate", body), article("grey-river", "It flows."), king)
    file = export_as_reader(selmar, FileFormat.SILLYTAVERN)
    entry = next(each for each in file.book.entries if each.memory37_id == "moon-gate")

    def propose(old: str, new: str) -> tuple[str, set[str]]:
        book = replace(file.book, entries=(replace(entry, content=entry.content.replace(old, new)),))
        done = bring(selmar, replace(file, book=book))
        item = ChangeRequest.objects.get(pk=done.change_request_ids[0]).items.get()
        return item.content["body"], {loss.field for loss in list_unkept(done, book)}

    assert propose("at dusk", "at noon") == (body.replace("at dusk", "at noon"), set())
    lost, told = propose("Ask at", "Never ask at")
    assert "Never ask at the river." in lost
    assert "[[drowned-king]]" in lost
    assert told == {"[[grey-river]]"}


def test_an_import_locks_its_domain_before_it_looks(selmar: Selmar) -> None:
    with CaptureQueriesContext(connection) as queries:
        bring(selmar, read_document(load("st-1.10-en")))
    statements = [query["sql"] for query in queries]
    locked = next(place for place, sql in enumerate(statements) if "FOR NO KEY UPDATE" in sql)
    looked = next(place for place, sql in enumerate(statements) if 'FROM "reviews_changeitem"' in sql)
    assert "domainindex" in statements[locked]
    assert locked < looked


def test_settings_edited_outside_are_kept_by_canon(selmar: Selmar) -> None:
    selmar.publish(GATE)
    file = export(selmar, FileFormat.SILLYTAVERN)
    edited = replace(file.book.entries[0], order=7, keys=("Gate", "/moon gate/i"))
    done = bring(selmar, replace(file, book=replace(file.book, entries=(edited,))))
    publish(selmar, done)
    entry = export(selmar, FileFormat.CARD_V2).book.entries[0]
    assert (entry.order, entry.keys, selmar.body("moon-gate")) == (7, ("Gate", "/moon gate/i"), GATE["body"])


def test_entries_of_two_books_named_alike_stay_apart(selmar: Selmar) -> None:
    publish(selmar, bring(selmar, read_document(load("book-v2-en"))))
    other = load("book-v2-en")
    other["name"] = "Another book"
    for entry in other["entries"]:
        entry["content"] += " Elsewhere."
    done = bring(selmar, read_document(other))
    assert done.count()["created"] == 3
    assert {"the-copper-gate", "ilya", "salt-road"}.isdisjoint(each.slug for each in done.entries)


def test_a_copied_entry_becomes_an_article_of_its_own(selmar: Selmar) -> None:
    selmar.publish(GATE)
    document = convert_file(export(selmar, FileFormat.SILLYTAVERN), FileFormat.SILLYTAVERN).document
    document["entries"]["1"] = {**copy.deepcopy(document["entries"]["0"]), "uid": 1, "content": "A second gate."}
    done = bring(selmar, read_document(document))
    assert [each.outcome.value for each in done.entries] == ["unchanged", "created"]
    assert done.entries[1].slug.startswith("moon-gate-")


def test_what_canon_does_not_keep_is_told(selmar: Selmar) -> None:
    document = copy.deepcopy(load("st-memory-books"))
    file = read_document(document)
    assert list_unkept(plan_import(selmar.index, file), file.book) == []
    next(iter(document["entries"].values()))["notes"] = "x" * MAX_ORIGIN_LENGTH
    file = read_document(document)
    losses = list_unkept(plan_import(selmar.index, file), file.book)
    assert {"STMB_start", "stmemorybooks", "notes"} <= {loss.field for loss in losses}
    odd = read_document(load("risu-odd"))
    skipped = [loss for loss in list_unkept(plan_import(None, odd), odd.book) if loss.field == "entry"]
    assert [loss.why for loss in skipped] == ["the entry has no text"]


def test_a_card_brings_its_character(selmar: Selmar) -> None:
    picture = write_png_file(read_document(load("card-v2-en")), FileFormat.CARD_V2)
    done = bring(selmar, read_lore_file(picture))
    item = ChangeRequest.objects.get(pk=done.change_request_ids[0]).items.get(slug=done.entries[0].slug)
    assert (item.content["type"], item.content["title"]) == ("character", "Ilya")
    assert "## Personality\n\ndry" in item.content["body"]
    publish(selmar, done)
    assert bring(selmar, read_lore_file(picture)).count()["unchanged"] == 4


def test_only_those_who_may_propose_import(selmar: Selmar, other_studio: Selmar) -> None:
    from memoryproject.errors import DomainError

    file = read_document(load("st-1.10-en"))
    with pytest.raises(DomainError):
        import_lorebook(actor=other_studio.editor, world_id=selmar.world.pk, domain="lore", file=file)
    empty = read_document({"entries": {}})
    with pytest.raises(DomainError):
        import_lorebook(actor=other_studio.editor, world_id=selmar.world.pk, domain="lore", file=empty)
    assert not ChangeRequest.objects.exists()
    done = import_lorebook(actor=make_key_actor(selmar.tenant), world_id=selmar.world.pk, domain="lore", file=file)
    assert len(done.change_request_ids) == 1


def test_a_wrong_tag_changes_nothing(selmar: Selmar) -> None:
    from knowledge.errors import InvalidArticle

    with pytest.raises(InvalidArticle):
        bring(selmar, read_document(load("st-1.10-en")), defaults=ImportDefaults(tags=("two words",)))
    assert not ChangeRequest.objects.exists()


def test_commands_import_and_export(selmar: Selmar, tmp_path: Any, capsys: Any) -> None:
    selmar.publish(GATE, article("secret", "Hush.", audience=["npc:mira"]))
    path = tmp_path / "book.json"
    path.write_text(json.dumps(load("st-full")))
    options = {"world": "main", "tenant": selmar.tenant.slug}
    call_command("import_lorebook", path, dry_run=True, **options)
    assert "Nothing was written." in capsys.readouterr().out
    call_command("import_lorebook", path, author="selmar-editor", **options)
    assert "3 created" in capsys.readouterr().out
    out = tmp_path / "out.json"
    call_command("export_lorebook", out, format="card_v2", **options)
    assert "1 entries" in capsys.readouterr().out
    assert [entry.comment for entry in read_lore_file(out.read_bytes()).book.entries] == ["Moon Gate"]
    call_command("export_lorebook", tmp_path / "out.png", format="card_v3", secrets=True, **options)
    assert len(read_lore_file((tmp_path / "out.png").read_bytes()).book.entries) == 2
    path.write_text('{"entries": {"0": {"key": 3}}}')
    with pytest.raises(CommandError, match="/entries/0/key must be a list"):
        call_command("import_lorebook", path, dry_run=True, **options)
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_lorebook", tmp_path / "absent.json", dry_run=True, **options)
