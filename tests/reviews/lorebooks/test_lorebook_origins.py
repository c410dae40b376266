"""What a file says beside its articles comes back at the export: file → import → live → export = file."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.canon.core.article import parse_article
from knowledge.canon.selectors.releases import resolve_release
from knowledge.errors import InvalidArticle
from knowledge.lorebooks.detection import WRITTEN_FORMATS, FileFormat
from knowledge.lorebooks.files import LoreFile, convert_file, read_document
from knowledge.lorebooks.json_text import json_equal
from reviews.change_requests.selectors.bulk_edits import ArticleFilter
from reviews.lorebooks.core.world_books import build_imported_book
from reviews.lorebooks.plans import list_unkept, plan_import
from reviews.lorebooks.selectors import build_world_book
from reviews.models import ChangeRequest
from tests.factories.canon import article
from tests.factories.change_requests import Selmar
from tests.knowledge.lorebooks.corpus import CORPUS, load
from tests.reviews.lorebooks.test_lorebook_import import bring, publish


def go_round(file: LoreFile, edit: Any = None) -> tuple[Any, list[str]]:
    """The file as it comes back from articles, and the uids of the entries that the import left out."""
    plan = plan_import(None, file, with_disabled=True, book_name="book")
    contents = [each.article.as_content() for each in plan.entries if each.article is not None]
    stored = [json.loads(json.dumps(content)) for content in contents]
    articles = [parse_article(edit(content) if edit else content) for content in stored]
    back = build_imported_book(articles, {}, "book")
    return convert_file(back, back.format).document, [each.uid for each in plan.entries if each.article is None]


def without(file: LoreFile, uids: list[str]) -> Any:
    """The file without those entries."""
    kept = tuple(each for each in file.book.entries if each.uid not in uids)
    return convert_file(replace(file, book=replace(file.book, entries=kept)), file.format).document


@pytest.mark.parametrize("name", CORPUS)
def test_a_file_comes_back_equal_but_for_what_is_listed(name: str) -> None:
    file = read_document(load(name))
    plan = plan_import(None, file, with_disabled=True, book_name="book")
    if not any(each.article for each in plan.entries):
        pytest.skip("nothing in it becomes an article")
    document, skipped = go_round(file)
    assert json_equal(document, without(file, skipped))
    listed = [loss for loss in list_unkept(plan, file.book) if loss.field not in {"entry", "lorebook"}]
    assert listed == []


SCALARS = st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    SCALARS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@pytest.mark.parametrize("name", ["st-full", "card-v2-en", "card-v3-zh", "risu-odd", "novelai-4", "agnai-ar"])
@settings(max_examples=5, deadline=None)
@given(member=st.text(min_size=1, max_size=8).map(lambda text: f"x{text}"), value=JSON)
def test_unknown_members_of_any_kind_come_back(name: str, member: str, value: Any) -> None:
    document = copy.deepcopy(load(name))
    file = read_document(document)
    entries = tuple(replace(each, raw={**each.raw, member: value}) for each in file.book.entries)
    edited = convert_file(replace(file, book=replace(file.book, entries=entries)), file.format).document
    file = read_document(edited)
    back, skipped = go_round(file)
    plan = plan_import(None, file, with_disabled=True, book_name="book")
    lost = {loss.entry for loss in list_unkept(plan, file.book) if "cannot store" in loss.why}
    assert lost or json_equal(back, without(file, skipped))


@pytest.mark.parametrize("name", ["st-full", "card-v2-en", "card-v3-zh", "risu-odd", "novelai-4", "agnai-ar"])
def test_an_edit_goes_before_what_the_file_said_and_changes_nothing_else(name: str) -> None:
    file = read_document(load(name))
    edited = next(each.uid for each in plan_import(None, file, with_disabled=True).entries[1:] if each.article)

    def edit(content: dict[str, Any]) -> dict[str, Any]:
        is_edited = content["lorebook_origin"]["uid"] == edited
        return {**content, "body": "It fell to the sea."} if is_edited else content

    back, skipped = go_round(file, edit)
    kept = list(read_document(without(file, skipped)).book.entries)
    now = list(read_document(back).book.entries)
    place = [each.uid for each in file.book.entries if each.uid not in skipped].index(edited)
    assert now[place].content.split("\n")[-1] == "It fell to the sea."
    kept[place] = replace(kept[place], content=now[place].content, decorators=now[place].decorators)
    assert now == kept


def test_a_card_s_character_that_was_edited_changes_the_card_alone() -> None:
    file = read_document(load("card-v2-en"))

    def edit(content: dict[str, Any]) -> dict[str, Any]:
        if content["type"] != "character":
            return content
        return {**content, "body": "Quite another.\n\n## Personality\n\nCalm."}

    back, skipped = go_round(file, edit)
    was = without(file, skipped)
    assert (back["data"]["description"], back["data"]["personality"]) == ("Quite another.", "Calm.")
    assert back["data"]["scenario"] == ""
    for name in ("description", "personality", "scenario"):
        back["data"][name] = was["data"][name]
    assert json_equal(back, was)


def test_an_edit_reaches_the_second_copy_of_entries_and_leaves_what_else_it_says() -> None:
    document = load("st-original-data")
    document["originalData"]["entries"][1]["content"] = gone = "What was said before SillyTavern lost count."
    kept = document["originalData"]["entries"]

    def edit(content: dict[str, Any]) -> dict[str, Any]:
        is_edited = content["lorebook_origin"]["uid"] == "1"
        return {**content, "body": "It fell to the sea."} if is_edited else content

    back, _ = go_round(read_document(document))
    assert back["originalData"] == document["originalData"]
    back, _ = go_round(read_document(document), edit)
    assert gone not in json.dumps(back)
    (was, now) = (kept[1], back["originalData"]["entries"][1])
    assert (now["content"], now["vendor"]) == ("It fell to the sea.", was["vendor"])
    assert back["originalData"]["entries"][0::2] == kept[0::2]


@pytest.mark.parametrize("name", ["risu-odd", "book-v2-en", "novelai-4"])
def test_a_second_copy_of_any_program_comes_back(name: str) -> None:
    entries = {
        str(uid): {"uid": uid, "key": [f"key {uid}"], "comment": f"Entry {uid}", "content": f"Text {uid}."}
        for uid in range(len(read_document(load(name)).book.entries))
    }
    document = {"entries": entries, "originalData": load(name)}
    back, _ = go_round(read_document(document))
    assert json_equal(back, document)


def test_items_of_a_second_copy_without_an_entry_are_left_out_and_told() -> None:
    document = load("st-original-data")
    document["originalData"]["entries"].append({**document["originalData"]["entries"][0], "id": 77, "content": "Gone."})
    file = read_document(document)
    back, _ = go_round(file)
    assert back["originalData"]["entries"] == document["originalData"]["entries"][:-1]
    assert "originalData" in {loss.field for loss in list_unkept(plan_import(None, file), file.book)}
    plan = plan_import(None, read_document({**document, "originalData": "x"}))
    assert "originalData" not in json.dumps([each.article.as_content() for each in plan.entries if each.article])


def test_words_that_were_edited_away_stand_in_no_copy_of_the_card() -> None:
    document = copy.deepcopy(load("card-v2-en"))
    gone = document["description"] = document["data"]["description"] = "She stole the ninth bell."

    def edit(content: dict[str, Any]) -> dict[str, Any]:
        return {**content, "body": "Nobody knows."} if content["type"] == "character" else content

    back, _ = go_round(read_document(document), edit)
    assert (back["description"], back["data"]["description"]) == ("Nobody knows.", "Nobody knows.")
    assert gone not in json.dumps(back)


def test_through_review_and_release_the_file_comes_back(selmar: Selmar) -> None:
    file = read_document(load("st-full"))
    done = bring(selmar, file, with_disabled=True, book_name="gate")
    publish(selmar, done)
    release = resolve_release(world_id=selmar.world.pk, domain="lore")
    back = build_world_book(release, name="x", audience=None, chosen=ArticleFilter(book="gate"))
    skipped = [each.uid for each in done.entries if not each.slug]
    assert json_equal(convert_file(back, back.format).document, without(file, skipped))
    assert bring(selmar, back, with_disabled=True, book_name="gate").change_request_ids == ()
    for target in set(WRITTEN_FORMATS) - {FileFormat.AGNAI}:  # which has no place for our ids
        world = build_world_book(release, name="Main", audience=None)
        went = read_document(json.loads(json.dumps(convert_file(world, target).document)))
        assert bring(selmar, went, with_disabled=True).change_request_ids == (), target


def test_data_of_other_programs_alone_makes_a_change_request(selmar: Selmar) -> None:
    document = {"entries": {"0": {"uid": 0, "key": ["gate"], "comment": "Gate", "content": "Shut.", "STMB_start": 1}}}
    publish(selmar, bring(selmar, read_document(document), book_name="gate"))
    document["entries"]["0"]["STMB_start"] = 2
    done = bring(selmar, read_document(document), book_name="gate")
    assert done.count()["updated"] == 1
    item = ChangeRequest.objects.get(pk=done.change_request_ids[0]).items.get()
    assert item.content["lorebook_origin"]["set"]["STMB_start"] == 2


def test_who_writes_the_article_anew_keeps_what_the_file_said(selmar: Selmar) -> None:
    document = {"entries": {"0": {"uid": 0, "key": ["gate"], "comment": "Gate", "content": "Shut.", "STMB_start": 1}}}
    publish(selmar, bring(selmar, read_document(document), book_name="gate"))
    selmar.publish(article("gate", "Open.", title="Gate"))
    live = selmar.live("gate")
    assert live.revision.body == "Open."
    assert live.revision.lorebook_origin["set"]["STMB_start"] == 1


def test_what_the_database_cannot_store_is_listed_and_the_rest_imported() -> None:
    entry = {"uid": 0, "key": ["gate"], "comment": "Gate", "content": "Shut.", "more": "a\x00b"}
    file = read_document({"entries": {"0": entry}})
    plan = plan_import(None, file)
    assert plan.count()["created"] == 1
    assert [(loss.entry, loss.field) for loss in list_unkept(plan, file.book)] == [("0", "extensions"), ("0", "more")]


def test_what_others_wrote_there_is_refused_or_does_no_harm() -> None:
    nested: Any = "x"
    for _ in range(900):
        nested = [nested]
    origin = {"book": "b", "dialect": "risu", "uid": "1", "set": {"key": nested}}
    with pytest.raises(InvalidArticle, match="nests deeper"):
        parse_article(article("gate", lorebook_origin=origin))
    for wrong in ({"file": []}, {"file": {"document": "x", "path": []}}, {"set": []}, {"uid": 3}):
        with pytest.raises(InvalidArticle):
            parse_article(article("gate", lorebook_origin={**origin, "set": {}, **wrong}))
    for odd in ({"set": {"key": {"a": 1}}}, {"set": {}, "file": {"document": [], "path": ["entries"]}}):
        made = parse_article(article("gate", lorebook_origin={**origin, **odd}))
        (entry,) = build_imported_book([made], {}, "b").book.entries
        assert "".join(entry.content.split()) == "".join(made.body.split())
