"""Chunks, cards and references as pure functions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.events.core.book import BookEvent, build_entries, compare_entry, place_foreign, split_book
from episodes.events.core.cards import (
    TEMPLATES,
    TemplateInvalid,
    choose_template,
    escape_entry,
    render_card,
    validate_template,
)
from episodes.events.core.chunks import Spoken, split_chunks
from episodes.events.core.plot import Entity, Plot, PlotInvalid, parse_plot
from episodes.events.core.ranges import is_worth_again
from episodes.events.core.references import KnownName, is_pointing, resolve_reference

PLOT = Plot(
    summary="艾琳把银钥匙交给老陈。",
    keywords=("艾琳", "银钥匙"),
    timestamp="第42天 深夜",
    location="月光酒馆",
    entities=(Entity("艾琳", "Character"),),
    details="她发了誓。",
)
GOLDEN = {
    language: f"---\n📅 {time}: 第42天 深夜\n📍 {place}: 月光酒馆\n🔑 {keys}: 艾琳, 银钥匙\n---\n"
    f"📜 **{event}**:\n艾琳把银钥匙交给老陈。\n\n> 她发了誓。"
    for language, time, place, keys, event in (
        ("zh", "时间", "地点", "关键词", "事件摘要"),
        ("en", "Time", "Place", "Keywords", "What happened"),
        ("ru", "Время", "Место", "Ключевые слова", "Что произошло"),
        ("ar", "الوقت", "المكان", "الكلمات المفتاحية", "ما حدث"),
    )
}
"""The Chinese one is the seed's, word for word."""


@pytest.mark.parametrize("language", sorted(GOLDEN))
def test_a_card_looks_as_the_seed_says_in_each_language(language):
    assert render_card(PLOT, choose_template(language, {})) == GOLDEN[language]


def test_what_is_not_known_leaves_no_line_and_no_lone_quotation_mark():
    card = render_card(Plot("Irina left.", ("Irina",)), TEMPLATES["en"])
    assert card == "---\n🔑 Keywords: Irina\n---\n📜 **What happened**:\nIrina left."


def test_a_template_is_text_with_places_and_nothing_else():
    own = "{summary} ({location})"
    validate_template(own)
    assert render_card(PLOT, choose_template("zh-CN", {"zh": own})) == "艾琳把银钥匙交给老陈。 (月光酒馆)"
    for bad in ("no place", "{summary} {secret}", "{summary} {", "{summary.__class__}", "{summary}" * 500):
        with pytest.raises(TemplateInvalid):
            validate_template(bad)


@given(st.text(max_size=80))
def test_words_of_a_plot_are_never_read_as_a_template(words):
    card = render_card(Plot(f"a {{location}} {words} b", ("k",), location="SECRET"), "{summary}")
    assert "SECRET" not in card or "SECRET" in words
    assert "{location}" in card


def test_nothing_in_an_entry_is_a_command_of_a_lorebook():
    escaped = escape_entry(
        "{{user}} says\n@@activate\n  @@depth 4\nmail a@@b", ("/kill|all/gi", "a, b", "{{char}}", " ", "silver key")
    )
    assert "{{" not in escaped.content
    assert not any(line.lstrip().startswith("@@") for line in escaped.content.splitlines())
    assert escaped.keys == ("kill|all/gi", "a b", "{char}", "silver key")


def spoken(pattern: str) -> list[Spoken]:
    return [Spoken(place, place, letter == "U") for place, letter in enumerate(pattern, 1)]


@pytest.mark.parametrize(
    ("pattern", "is_over", "ends"),
    [
        ("UA" * 7, False, []),
        ("UA" * 8, False, [16]),
        ("UA" * 8 + "UAU", False, [16]),
        ("UA" * 8 + "UAUA", True, [16, 20]),
        ("UA" * 7 + "UAAA" + "UA", False, [18]),
        ("U" * 31, False, [30]),
        ("UAU", True, []),
    ],
)
def test_a_chunk_ends_with_a_whole_exchange(pattern, is_over, ends):
    assert [chunk.last_seq for chunk in split_chunks(spoken(pattern), is_over=is_over)] == ends


@given(st.text(alphabet="UA", max_size=120), st.integers(10, 20))
def test_chunks_follow_each_other_without_gap_and_are_never_cut_in_an_exchange(pattern, every):
    messages = spoken(pattern)
    chunks = split_chunks(messages, every=every)
    seen = [message for chunk in chunks for message in chunk.messages]
    assert seen == messages[: len(seen)]
    for chunk in chunks:
        last = chunk.messages[-1]
        follows = messages[last.seq] if last.seq < len(messages) else None
        is_whole = not last.is_player and (follows is None or follows.is_player)
        assert is_whole or len(chunk.messages) == 2 * every


def test_six_in_ten_messages_are_worth_another_try():
    assert [is_worth_again(standing, 10) for standing in (10, 6, 5, 0)] == [True, True, False, False]


@pytest.mark.parametrize(
    "text",
    [
        "that thing", "remember that night at the docks?", "what happened back then", "помнишь тот раз?",
        "расскажи ту историю", "что тогда случилось?", "那件事", "还记得上次吗", "ذاك", "هل تتذكر تلك الليلة؟",
        "وش صار ذيك المرة الماضية",
    ],
)  # fmt: skip
def test_pointing_questions_are_known_in_each_language(text):
    assert is_pointing(text)


@pytest.mark.parametrize("text", ["I open the door.", "Я открываю дверь.", "我打开门。", "أفتح الباب."])
def test_plain_statements_point_at_nothing(text):
    assert not is_pointing(text)


KNOWN = [
    KnownName("Мирон", "мирон", "Character"),
    KnownName("Ирина", "ирин", "Character"),
    KnownName("ключ", "ключ", ""),
]


def test_a_vague_question_points_at_the_last_names_and_a_named_one_at_nobody_else():
    talk = ["Мирон ушёл.", "Ирине вручили ключ.", "Дальше."]
    vague = resolve_reference("помнишь тот раз?", talk, KNOWN)
    assert [each.name for each in vague.pointed_at] == ["Ирина", "Мирон"]
    named = resolve_reference("помнишь, что сделал Мирон?", talk, KNOWN)
    assert ([each.name for each in named.named], named.pointed_at) == (["Мирон"], ())


def test_a_document_that_is_no_extraction_is_refused():
    with pytest.raises(PlotInvalid):
        parse_plot({"summary": "x"})
    assert parse_plot(PLOT.as_document()) == PLOT


EVENT = BookEvent(
    "e1",
    "Miron · Tavern",
    "{{user}} met Miron.",
    ("Miron", "key"),
    "buffer",
    1,
    16,
    3,
    is_enabled=True,
    is_lowered=False,
)  # fmt: skip


def test_an_entry_comes_back_as_it_went_out_and_an_edit_is_seen():
    entries = build_entries([EVENT])
    raw = entries["1"]
    assert (raw["comment"], raw["order"], raw["disable"], raw["keysecondary"]) == (
        "[m37 1–16] Miron · Tavern", 101, False, [],
    )  # fmt: skip
    assert raw["extensions"]["memory37"] == {"event_id": "e1", "state": "buffer", "messages": [1, 16], "rev": 3}
    own, foreign = split_book({"entries": {**entries, "9": {"uid": 9, "key": ["x"], "content": "mine", "STMB": 1}}})
    assert compare_entry(own["e1"], EVENT).is_empty
    assert foreign["9"]["STMB"] == 1
    changed = {**raw, "content": "Miron lied.", "key": ["Miron"], "disable": True, "comment": "[m37 1–16] The lie"}
    edit = compare_entry(split_book({"entries": {"1": changed}})[0]["e1"], EVENT)
    assert (edit.title, edit.content, edit.keywords, edit.is_disabled, edit.rev) == (
        "The lie", "Miron lied.", ("Miron",), True, 3,
    )  # fmt: skip


def test_an_entry_of_others_that_moves_takes_the_place_of_none():
    foreign = {"1": {"uid": 1, "content": "new"}, "1000000001": {"uid": 1_000_000_001, "content": "old"}}
    placed = place_foreign(foreign, {"1"})
    assert {uid: raw["content"] for uid, raw in placed.items()} == {"1000000001": "old", "1000000002": "new"}
    assert all(str(raw["uid"]) == uid for uid, raw in placed.items())
