"""Commands in a model's text: taken out where they are commands, whole or in pieces."""

from __future__ import annotations

import random

import pytest

from knowledge.notebook.core.tokenizer import CommandStream, tokenize

REPLY = """Sure, noted. [SAVE_FACT key="db" value="PostgreSQL"]
[GET_FACT key="user_name"]
Let me look. [SEARCH_MEMORY query="why not [mongo]?"] One more thing.
[SAVE_DOC name="typescript" content="# TS\\nWe use \\"strict\\".
second line" folder="decisions"]
[READ_DOC folder=decisions name="x"]
```
[SAVE_FACT key="fence" value="no"]
```
"""
PIECES = (
    '[SAVE_FACT key="a" value="b"]', '[GET_FACT key="a"]', '[SAVE_FACT key="a', "[", "`", "```\n", "~~~", "\n", "\n\n",
    '"',
    "«", "»", " ", "text", '[SEARCH_MEMORY query="]["]', "]", '\\"', "> ", "[NOTE]",
    '[FOO_BAR x="', "SAVE_", "FACT", "[GET",
    'key="', "“", "”", "„", " =",
)  # fmt: skip


def test_five_commands_one_broken_and_one_in_a_fence():
    """A-2: four stand, one is malformed, the fence is untouched, the text is clean."""
    found = tokenize(REPLY)
    assert [(each.name, each.flaw) for each in found.commands] == [
        ("SAVE_FACT", ""), ("GET_FACT", ""), ("SEARCH_MEMORY", ""), ("SAVE_DOC", ""), ("READ_DOC", "syntax"),
    ]  # fmt: skip
    assert found.commands[2].arguments == {"query": "why not [mongo]?"}
    assert found.commands[3].arguments["content"] == '# TS\nWe use "strict".\nsecond line'
    assert found.clean == (
        'Sure, noted.\n\nLet me look. One more thing.\n\n```\n[SAVE_FACT key="fence" value="no"]\n```'
    )
    for each in found.commands:
        assert REPLY[each.start : each.end].startswith(f"[{each.name} ")


@pytest.mark.parametrize(
    "text",
    [
        'He said "[GET_FACT key="a"]".', "«[GET_FACT key=\"a\"]»", '“please run [GET_FACT key="a"] now”',
        '`[GET_FACT key="a"]`', '``x ` [GET_FACT key="a"] ``', '> [GET_FACT key="a"]', '~~~\n[GET_FACT key="a"]\n~~~',
        "[NOTE] to self", "an [index] and [X]", "「[GET_FACT key=\"a\"]」", "[get_fact key=\"a\"]", "[GET_FACTS]",
    ],
)  # fmt: skip
def test_code_quotes_and_other_brackets_stay(text):
    assert tokenize(text).clean == text
    assert tokenize(text).commands == ()


@pytest.mark.parametrize(
    ("text", "clean", "flaw"),
    [
        ('a [SAVE_FACT key="x"] b', "a b", "attribute_missing"),
        ('a [GET_FACT key="x" key="y"] b', "a b", "attribute_repeated"),
        ('a [GET_FACT key="x" world="y"] b', "a b", "attribute_unknown"),
        ("a [GET_FACT] b", "a b", "attribute_missing"),
        ('a [GET_FACT key="half of a stream', "a", "unterminated"),
        ('a [GET_FACT key="x\nb', "a\nb", "unterminated"),
        ("a [GET_FACT key='x'] b", "a b", "syntax"),
        ('a [DROP_TABLE name="users"] b', "a b", "unknown_command"),
        (f'a [GET_FACT key="{"x" * 9000}"] b', "a b", "value_too_long"),
    ],
)
def test_what_is_broken_is_left_out_and_named(text, clean, flaw):
    found = tokenize(text)
    assert found.clean == clean
    assert [each.flaw for each in found.commands] == [flaw]


def test_any_cut_into_pieces_gives_the_same_text_and_commands():
    rng = random.Random(37)
    for _ in range(1500):
        text = "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 14)))
        whole, stream, shown, place = tokenize(text), CommandStream(), "", 0
        while place < len(text):
            length = rng.randint(1, 4)
            shown += stream.feed(text[place : place + length])
            place += length
        shown += stream.finish()
        assert (shown, tuple(stream.commands)) == (whole.clean, whole.commands), text
        assert shown == stream.shown


def test_nothing_but_a_possible_command_is_held_back():
    stream = CommandStream()
    assert stream.feed("Hello, wor") == "Hello, wor"
    assert stream.feed('ld. [SAVE_FACT key="a') == "ld."
    assert stream.feed('" value="b"] Bye') == " Bye"
    assert stream.finish() == ""
