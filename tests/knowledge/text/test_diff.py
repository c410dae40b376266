import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.text.diff import DiffSpan, diff_words, has_changes, new_side, old_side


def told(old: str, new: str) -> list[tuple[str, str]]:
    return [(span.kind, span.text) for span in diff_words(old, new)]


def joined(spans: list[DiffSpan]) -> str:
    return "".join(span.text for span in spans)


def test_changed_word_is_shown_alone() -> None:
    assert told("The red dragon sleeps.", "The old dragon sleeps.") == [
        ("equal", "The "),
        ("delete", "red"),
        ("insert", "old"),
        ("equal", " dragon sleeps."),
    ]


def test_equal_and_empty_texts_have_no_changes() -> None:
    assert told("same", "same") == [("equal", "same")]
    assert told("", "") == []
    assert told("", "new") == [("insert", "new")]
    assert told("old", "") == [("delete", "old")]
    assert not has_changes(diff_words("same", "same"))
    assert has_changes(diff_words("same", "some"))


def test_neighbouring_changed_words_are_one_change() -> None:
    assert told("a red dragon here", "a blue wyvern here") == [
        ("equal", "a "),
        ("delete", "red dragon"),
        ("insert", "blue wyvern"),
        ("equal", " here"),
    ]


def test_chinese_is_compared_by_character() -> None:
    assert told("红龙守着黄金", "绿龙守着黄金") == [("delete", "红"), ("insert", "绿"), ("equal", "龙守着黄金")]


def test_arabic_words_stay_whole_with_their_vowels() -> None:
    assert told("ينام التِّنِينُ هنا", "ينام الأسد هنا") == [
        ("equal", "ينام "),
        ("delete", "التِّنِينُ"),
        ("insert", "الأسد"),
        ("equal", " هنا"),
    ]


def test_only_changed_lines_are_looked_into() -> None:
    old = "# Lair\n\nHot and dark.\n\nThe end.\n"
    new = "# Lair\n\nHot and bright.\n\nThe end.\n"
    assert told(old, new) == [
        ("equal", "# Lair\n\nHot and "),
        ("delete", "dark"),
        ("insert", "bright"),
        ("equal", ".\n\nThe end.\n"),
    ]


def test_sides_hold_their_own_text() -> None:
    old, new = "one two three\nfour\n", "one 2 three\nfive six\n"
    spans = diff_words(old, new)
    assert joined(old_side(spans)) == old
    assert joined(new_side(spans)) == new


def test_long_unchanged_stretches_collapse_around_changes() -> None:
    filler = "word " * 200
    spans = diff_words(f"{filler}red {filler}end", f"{filler}blue {filler}end", context_characters=20)
    assert [span.kind for span in spans] == ["gap", "equal", "delete", "insert", "equal", "gap"]
    assert all(len(span.text) < 60 for span in spans if span.kind == "equal")
    assert joined(new_side(spans)) == f"{filler}blue {filler}end"


def test_text_without_changes_collapses_to_a_gap() -> None:
    assert [span.kind for span in diff_words("a b c", "a b c", context_characters=0)] == ["gap"]


@given(st.text("aб龙 \n.ة'-", max_size=60), st.text("aб龙 \n.ة'-", max_size=60), st.integers(0, 5) | st.none())
@settings(deadline=None)
def test_spans_give_both_texts_back(old: str, new: str, context: int | None) -> None:
    spans = diff_words(old, new, context_characters=context)
    assert joined(old_side(spans)) == old
    assert joined(new_side(spans)) == new
    assert has_changes(spans) == (old != new)
    assert all(span.text for span in spans)


@pytest.mark.parametrize("line_words", [10, 20_000])
def test_large_articles_are_compared_within_seconds(line_words: int) -> None:
    source = random.Random(37)
    words = [source.choice(["the", "dragon", "gold", f"w{source.randrange(3000)}"]) for _ in range(20_000)]
    edited = [word if source.random() > 0.05 else "changed" for word in words]
    texts = [
        "\n".join(" ".join(side[start : start + line_words]) for start in range(0, len(side), line_words))
        for side in (words, edited)
    ]
    started = time.perf_counter()
    assert has_changes(diff_words(texts[0], texts[1]))
    assert time.perf_counter() - started < 10
