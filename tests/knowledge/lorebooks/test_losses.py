"""The loss report names what a target cannot say, and the traps of other programs' readers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knowledge.lorebooks.core.book import Book, CharacterFilter, Entry
from knowledge.lorebooks.core.vocabulary import Dialect, Position, RegexKeys, Role, SelectiveLogic
from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.files import convert_file, read_document
from knowledge.lorebooks.losses import Loss, count_outcomes, is_lossy, report_losses
from knowledge.lorebooks.token_counts import count_book_tokens
from knowledge.text.tokens import count_tokens
from tests.knowledge.lorebooks.corpus import CORPUS, load, write_as

V2, V3 = Dialect.CHARACTER_BOOK, Dialect.CHARACTER_BOOK_V3


def losses_of(target: Dialect, source: Dialect = Dialect.SILLYTAVERN, **fields: object) -> dict[str, Loss]:
    entry = replace(Entry(uid="4", keys=("gate",), comment="Gate", content="Shut."), **fields)  # type: ignore[arg-type]
    return {loss.field: loss for loss in report_losses(Book(entries=(entry,), dialect=source), target)}


@pytest.mark.parametrize("name", tuple(CORPUS))
def test_nothing_is_lost_in_a_file_s_own_format(name: str) -> None:
    file = read_document(load(name))
    assert not is_lossy(convert_file(file, file.format).losses)


def test_a_line_says_which_entry_which_field_what_and_why() -> None:
    line = losses_of(Dialect.NOVELAI, sticky=3)["sticky"].as_json()
    assert line == {
        "entry": "4",
        "title": "Gate",
        "field": "sticky",
        "outcome": "dropped",
        "why": "NovelAI has no such field",
    }


@pytest.mark.parametrize(
    ("target", "fields", "field", "outcome", "why"),
    [
        (V2, {"sticky": 3}, "sticky", "kept", "extensions"),
        (V2, {"is_enabled": False}, "is_enabled", "kept", "RisuAI reads every entry"),
        (V2, {"keys": ("a,b",)}, "keys", "kept", "commas"),
        (V2, {"keys": ("/a/",)}, "keys", "approximated", "V2 has no patterns"),
        (V2, {"character_filter": CharacterFilter(names=("Il",))}, "character_filter", "approximated", "SillyTavern"),
        (V2, {"probability": 0}, "probability", "kept", "@@probability"),
        (V2, {"content": "@@depth 2\n@@no_such 1\nx"}, "@@no_such", "dropped", "decorator"),
        (V3, {"keys": ("/a/",), "is_constant": True}, "is_constant", "approximated", "use_regex"),
        (V3, {"keys": ("/a/", "b")}, "keys", "approximated", "every key"),
        (V3, {"keys": ("/a/",), "secondary_keys": ("b",)}, "secondary_keys", "approximated", "ignore"),
        (Dialect.RISU, {"is_enabled": False}, "is_enabled", "approximated", "@@dont_activate"),
        (Dialect.RISU, {"keys": ("a,b",)}, "keys", "approximated", "RisuAI"),
        (Dialect.RISU, {"keys": ("/a{1,2}/",)}, "keys", "approximated", "commas"),
        (Dialect.RISU, {"probability": 0}, "probability", "kept", "always fires"),
        (Dialect.RISU, {"groups": ("g",)}, "groups", "dropped", "RisuAI has no such field"),
        (Dialect.RISU, {"position": Position.AN_TOP}, "position", "dropped", "an_top"),
        (Dialect.RISU, {"position": Position.AT_DEPTH, "role": Role.USER}, "role", "kept", "decorator"),
        (Dialect.NOVELAI, {"is_constant": True}, "is_constant", "kept", "forceActivation"),
        (Dialect.NOVELAI, {"keys": ("a & b",)}, "keys", "approximated", "both must occur"),
        (Dialect.NOVELAI, {"position": Position.AT_DEPTH, "depth": 2}, "position", "approximated", "lines"),
        (Dialect.NOVELAI, {"is_enabled": False}, "is_enabled", "kept", ""),
        (Dialect.AGNAI, {"is_constant": True}, "is_constant", "approximated", "does not act"),
        (Dialect.AGNAI, {"probability": 30}, "probability", "dropped", "Agnai has no such field"),
        (Dialect.SILLYTAVERN, {"priority": 3}, "priority", "approximated", "order alone"),
        (Dialect.SILLYTAVERN, {"conditions": ("flag:gate_open",)}, "conditions", "approximated", "written as enabled"),
    ],
)
def test_known_traps_are_named(target: Dialect, fields: dict[str, object], field: str, outcome: str, why: str) -> None:
    source = V3 if target is Dialect.SILLYTAVERN else Dialect.SILLYTAVERN
    line = losses_of(target, source, **fields)[field]
    assert line.outcome == outcome
    assert why in line.why


def test_a_plain_key_that_looks_like_a_pattern_is_named() -> None:
    fields: dict[str, object] = {"keys": ("/a/",), "regex_keys": RegexKeys.NONE}
    assert losses_of(Dialect.SILLYTAVERN, V3, **fields)["keys"].outcome == "approximated"


def test_what_has_no_effect_is_no_loss() -> None:
    idle: dict[str, object] = {"depth": 9, "outlet": "x", "group_weight": 3, "logic": SelectiveLogic.AND_ALL}
    idle |= {"use_probability": False, "probability": 5}
    for target in Dialect:
        assert not is_lossy(losses_of(target, **idle).values())


def test_decorators_become_fields_and_fields_decorators() -> None:
    entry = Entry(
        uid="0", keys=("k",), content="@@depth 0\n@@role user\n@@exclude_keys a,b\n@@activate_only_after 3\nx"
    )
    book = Book(entries=(entry,), dialect=V3)
    assert [loss.field for loss in report_losses(book, Dialect.SILLYTAVERN) if loss.outcome != "kept"] == []
    raw = write_as(book, Dialect.SILLYTAVERN)["entries"]["0"]
    assert (raw["content"], raw["position"], raw["depth"], raw["role"]) == ("x", 4, 0, 1)
    assert (raw["selectiveLogic"], raw["keysecondary"], raw["delay"]) == (2, ["a", "b"], 3)
    assert raw["selective"] is True
    risu = write_as(
        Book(entries=(replace(entry, content="x", is_enabled=False, match_whole_words=True),)), Dialect.RISU
    )
    assert risu["data"][0]["content"] == "@@dont_activate\n@@match_full_word\nx"


def test_data_of_other_programs_is_counted() -> None:
    book = read_document(load("st-memory-books")).book
    kept = [loss for loss in report_losses(book, V2) if loss.field.startswith("STMB_")]
    assert {loss.outcome for loss in kept} == {"kept"}
    dropped = [loss for loss in report_losses(book, Dialect.NOVELAI) if loss.field.startswith("STMB_")]
    assert len(dropped) == len(kept) == 12
    assert {loss.outcome for loss in dropped} == {"dropped"}


def test_a_card_written_as_a_book_loses_its_character_and_a_book_gains_an_empty_one() -> None:
    losses = convert_file(read_document(load("card-v2-en")), FileFormat.SILLYTAVERN).losses
    assert {"card.description", "card.first_message"} <= {loss.field for loss in losses if loss.outcome == "dropped"}
    made = convert_file(read_document(load("book-v2-en")), FileFormat.CARD_V3)
    assert made.document["data"]["name"] == "Book en"
    assert [loss.field for loss in made.losses if loss.field == "card"] == ["card"]
    assert sum(count_outcomes(made.losses).values()) == len(made.losses)


def test_settings_of_a_book_that_sillytavern_does_not_read_are_named() -> None:
    lines = {loss.field: loss for loss in report_losses(read_document(load("book-v2-en")).book, Dialect.SILLYTAVERN)}
    assert lines["scan_depth"].outcome == "approximated"
    novel = {loss.field: loss for loss in report_losses(read_document(load("book-v2-en")).book, Dialect.NOVELAI)}
    assert novel["scan_depth"].outcome == "dropped"


def test_tokens_are_counted_whole_and_by_place() -> None:
    entries = (
        Entry(uid="a", content="@@depth 2\nThe gate is shut.", is_constant=True),
        Entry(uid="b", content="Ворота закрыты.", position=Position.OUTLET, outlet="rules"),
        Entry(uid="c", content="off", is_enabled=False),
    )
    counts = count_book_tokens(Book(entries=entries))
    gate, russian = count_tokens("The gate is shut."), count_tokens("Ворота закрыты.")
    assert counts.entries == {"a": gate, "b": russian, "c": count_tokens("off")}
    assert counts.total == gate + russian + count_tokens("off")
    assert (counts.enabled, counts.constant) == (gate + russian, gate)
    assert counts.by_position == {"at_depth:2:system": gate, "outlet:rules": russian}
