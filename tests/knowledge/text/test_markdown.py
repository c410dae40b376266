import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.text.markdown import Heading, find_mentions, make_anchor, split_sections, strip_markdown


def heading_outline(text: str) -> list[Heading]:
    return [section.heading for section in split_sections(text) if section.heading]


def test_outline_knows_both_heading_styles_levels_and_lines() -> None:
    text = "Title\n=====\n\n## Lair of *Ash* ##\n\nSub\n---\n\n#### [[king|The King]]\n"
    assert [(heading.level, heading.title, heading.line) for heading in heading_outline(text)] == [
        (1, "Title", 1),
        (2, "Lair of Ash", 4),
        (2, "Sub", 6),
        (4, "The King", 9),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```\n# code\n```",
        "~~~sh\n# code\n```\n# code\n~~~",
        "    # indented",
        "#tag",
        "text\n\n---\n",
        "| a |\n|---|\n",
        "- item\n---",
    ],
)
def test_what_only_looks_like_a_heading_is_none(text: str) -> None:
    assert heading_outline(text) == []


def test_fence_that_is_never_closed_hides_the_rest() -> None:
    assert [heading.title for heading in heading_outline("# A\n```\n# B")] == ["A"]


def test_anchors_are_unique_and_keep_letters_of_any_script() -> None:
    assert [heading.anchor for heading in heading_outline("# Чёрный замок!\n# A b\n# a b\n# ***\n")] == [
        "чёрный-замок",
        "a-b",
        "a-b-1",
        "section",
    ]
    assert make_anchor("红龙 lair") == "红龙-lair"


def test_mentions_carry_slug_section_label_and_line() -> None:
    text = "See [[red-dragon]].\n\n| [[king\\|the King]] | [[keep#cellar|below]] |"
    found = find_mentions(text)
    assert [(mention.slug, mention.section, mention.label, mention.line) for mention in found] == [
        ("red-dragon", "", "red-dragon", 1),
        ("king", "", "the King", 3),
        ("keep", "cellar", "below", 3),
    ]
    assert text[found[0].start : found[0].end] == "[[red-dragon]]"


@pytest.mark.parametrize(
    "text",
    ["`[[a]]`", "``x ` [[a]]``", "```\n[[a]]\n```", "~~~\n[[a]]", "\\[[a]]", "[[ ]]", "[[]]", "[[a\nb]]", "[a]"],
)
def test_code_escapes_and_broken_brackets_mention_nothing(text: str) -> None:
    assert find_mentions(text) == []


def test_mention_after_a_lone_backtick_counts() -> None:
    assert [mention.slug for mention in find_mentions("it`s [[yes]]\n\n`code` [[too]]")] == ["yes", "too"]


def test_plain_text_is_what_a_reader_sees() -> None:
    text = (
        "# **Bold** *em* snake_case _x_ `code`\n\n"
        "[link](http://x.y/a_(b)) ![map](m.png) [[red-dragon]] [[k|King]]\n\n"
        "| a | b |\n|---|:-:|\n| 1<br>2 | 3 |\n\n> quote\n- [x] done\n1. one\n***\n"
        "5 * 3 &amp; \\*star\\*<!-- hidden -->\n"
    )
    assert strip_markdown(text) == (
        "Bold em snake_case x code\n\nlink map red dragon King\n\na b\n\n1 2 3\n\nquote\ndone\none\n\n5 * 3 & *star*"
    )


@given(st.lists(st.sampled_from(["# A", "## B", "", "text", "```", "C\n===", "\r\n", "\f# D"])).map("\n".join))
def test_sections_joined_are_the_text(text: str) -> None:
    assert "".join(section.source for section in split_sections(text)) == text


def test_megabytes_of_broken_markup_take_seconds() -> None:
    started = time.perf_counter()
    for mark in ("`", "` ", "[[", "[a](", "<!--", "*", "<a ", "# ", "|", "-", "- ", "|-", " ", "\n", "&", "\t|", "> "):
        text = mark * (300_000 // len(mark)) + "x"
        find_mentions(text)
        split_sections(text)
        strip_markdown(text)
    assert time.perf_counter() - started < 30
