import datetime

import pytest

from knowledge.text.front_matter import FrontMatterError, parse_front_matter


def test_fields_body_and_its_line_are_found() -> None:
    parsed = parse_front_matter("---\ntitle: Красный дракон\ntags: [dragon, fire]\nborn: 1204-05-06\n---\n\n# Lair\n")
    assert parsed.fields == {
        "title": "Красный дракон",
        "tags": ["dragon", "fire"],
        "born": datetime.date(1204, 5, 6),
    }
    assert parsed.body == "\n# Lair\n"
    assert parsed.body_line == 6


def test_windows_files_with_a_byte_order_mark_are_read() -> None:
    parsed = parse_front_matter("\ufeff---\r\ntitle: A\r\n---\r\nbody\r\n")
    assert (parsed.fields, parsed.body) == ({"title": "A"}, "body\n")


@pytest.mark.parametrize("text", ["# Lair\n\n---\n", "", "text", "\n---\na: 1\n---\n"])
def test_file_without_front_matter_is_all_body(text: str) -> None:
    parsed = parse_front_matter(text)
    assert (parsed.fields, parsed.body, parsed.body_line) == ({}, text, 1)


def test_empty_front_matter_has_no_fields() -> None:
    assert parse_front_matter("---\n---\nbody").fields == {}


@pytest.mark.parametrize(
    ("head", "line", "reason"),
    [
        ("---\ntitle: A\n\nbody", 1, "not closed"),
        ("---\n- a\n- b\n---\n", 2, "mapping"),
        ("---\na: 1\nb: 2\na: 3\n---\n", 4, "'a' is given twice"),
        ("---\na: 1\nb:\n  c: 1\n  c: 2\n---\n", 5, "'c' is given twice"),
        ("---\na:\n\tb: 1\n---\n", 3, "tabs"),
        ("---\na: [1, 2\nb: 3\n---\n", 3, "expected"),
        ("---\na: &x 1\nb: *x\n---\n", 3, "aliases"),
        ("---\n7: a\n---\n", 2, "quotes"),
        ("---\ntrue: a\n---\n", 2, "quotes"),
        ("---\n? [a]\n: b\n---\n", 2, "key must be a text"),
        ("---\na: 1\nb: .inf\n---\n", 3, "finite"),
        ("---\na: " + "[" * 400 + "\n---\n", 2, "deep"),
        ("---\na: 1\nb: \x01\n---\n", 3, "character"),
        ("---\na: 1\nb: 2024-13-45\n---\n", 3, "month"),
        ("---\na: !!python/object:os.system {}\n---\n", 2, "tag"),
        ("---\na: " + "x" * 70_000 + "\n---\n", 1, "longer"),
    ],
)
def test_bad_front_matter_is_refused_with_its_line(head: str, line: int, reason: str) -> None:
    with pytest.raises(FrontMatterError, match=reason) as raised:
        parse_front_matter(head)
    assert raised.value.line == line
    assert str(raised.value).startswith(f"line {line}: ")
