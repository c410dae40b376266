import codecs
import json

import pytest

from knowledge.canon.transfer.files import list_source_files
from knowledge.errors import ImportPathMissing
from tests.knowledge.transfer.samples import article_text, read_articles, read_refusals

OURS = {"slug": "quay", "title": "Quay", "type": "place", "language": "en", "body": "Wet."}


def test_front_matter_and_body_become_an_article(tmp_path):
    (tmp_path / "quay.md").write_text(article_text("quay", title="The Quay", body="Wet stone."))
    (article,) = read_articles(tmp_path)
    assert (article.slug, article.title, article.body) == ("quay", "The Quay", "Wet stone.")


@pytest.mark.parametrize("prefix", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_byte_order_marks_and_line_ends_make_no_difference(tmp_path, prefix, line_end):
    text = article_text("quay", body="First.\n\nSecond.").encode()
    (tmp_path / "quay.md").write_bytes(prefix + text.replace(b"\n", line_end))
    (article,) = read_articles(tmp_path)
    assert article.body == "First.\n\nSecond."


def test_options_fill_in_what_front_matter_leaves_out(tmp_path):
    (tmp_path / "a.md").write_text("---\nslug: quay\ntitle: Quay\n---\nWet.\n")
    (article,) = read_articles(tmp_path, language="en", type="place", source="The old book")
    assert (article.language, article.type, article.source) == ("en", "place", "The old book")


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("---\nslug: quay\ntitle: [open\n---\nWet.\n", "front_matter_invalid", 3),
        ("---\nslug: quay\nslug: again\n---\nWet.\n", "front_matter_invalid", 3),
        ("---\nslug: quay\n", "front_matter_invalid", 1),
        (article_text("quay").replace("type: place", "type: 7"), "article_invalid", 4),
        (article_text("Not A Slug"), "article_invalid", 2),
        (article_text("quay", body=""), "article_invalid", 7),
        (article_text("quay").replace("type: place", "type: place\nbody: here"), "front_matter_invalid", 5),
        ("", "file_empty", None),
        ("  \n\n", "file_empty", None),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path, text, code, line):
    (tmp_path / "bad.md").write_text(text)
    (refusal,) = read_refusals(tmp_path)
    assert (refusal.code, refusal.place.line) == (code, line), refusal.reason


def test_bytes_that_are_no_utf8_are_told_with_their_line(tmp_path):
    (tmp_path / "a.md").write_bytes(b"# One\n\nfine\nna\xefve\n")
    (tmp_path / "b.md").write_bytes(codecs.BOM_UTF16_LE + "# One".encode("utf-16-le"))
    first, second = read_refusals(tmp_path)
    assert (first.code, str(first.place)) == ("encoding_invalid", "a.md:4")
    assert "0xef" in first.reason
    assert "UTF-16" in second.reason


def test_nul_characters_are_refused(tmp_path):
    (tmp_path / "a.md").write_text(article_text("quay", body="Wet\x00stone."))
    (refusal,) = read_refusals(tmp_path)
    assert refusal.code == "article_invalid"


def test_a_slug_used_twice_is_told_with_both_places(tmp_path):
    (tmp_path / "a.md").write_text(article_text("quay"))
    (tmp_path / "b.md").write_text(article_text("quay"))
    (refusal,) = read_refusals(tmp_path)
    assert (refusal.code, str(refusal.place), str(refusal.other)) == ("slug_duplicate", "b.md:2", "a.md:2")
    assert "a.md:2" in refusal.reason


def test_json_is_read_as_an_object_a_list_or_lines(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(OURS))
    (tmp_path / "b.json").write_bytes(
        codecs.BOM_UTF8 + json.dumps([{**OURS, "slug": "b1"}, {**OURS, "slug": "b2"}]).encode()
    )
    (tmp_path / "c.jsonl").write_text(
        "\n".join(json.dumps({**OURS, "slug": f"c{number}"}) for number in (1, 2)) + "\n\n"
    )
    assert [article.slug for article in read_articles(tmp_path)] == ["quay", "b1", "b2", "c1", "c2"]


def test_numbers_in_json_keep_their_kind(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps([{**OURS, "fields": {"height": 3, "share": 0.5, "big": 1e20}}]))
    (article,) = read_articles(tmp_path)
    assert article.fields == {"height": 3, "share": 0.5, "big": 10**20}
    assert isinstance(article.fields["share"], float)


@pytest.mark.parametrize(
    ("name", "text", "code", "place"),
    [
        ("a.json", '[\n{"slug": "quay",\n oops}]', "json_invalid", "a.json:3"),
        ("a.json", "[" + json.dumps(OURS), "json_invalid", "a.json:1"),
        ("a.json", '[{"slug": NaN}]', "json_invalid", "a.json"),
        ("a.json", '"text"', "json_invalid", "a.json:1"),
        ("a.json", "[" * 50_000, "json_invalid", "a.json"),
        ("a.json", "[" * 150 + "]" * 150, "json_invalid", "a.json"),
        ("a.json", "", "file_empty", "a.json"),
        ("a.json", "[]", "file_empty", "a.json"),
        ("a.json", json.dumps([OURS, 7]), "article_invalid", "a.json, object 2"),
        ("a.json", json.dumps([{**OURS, "extra": 1}]), "article_invalid", "a.json, object 1"),
        ("a.jsonl", json.dumps(OURS) + "\n\n{oops\n", "json_invalid", "a.jsonl:3"),
        ("a.jsonl", '{"slug": Infinity}', "json_invalid", "a.jsonl:1"),
        ("a.jsonl", "\n\n", "file_empty", "a.jsonl"),
    ],
)
def test_bad_json_is_told_with_its_place(tmp_path, name, text, code, place):
    (tmp_path / name).write_text(text)
    (refusal,) = read_refusals(tmp_path)
    assert (refusal.code, str(refusal.place)) == (code, place), refusal.reason


def test_json_that_is_no_utf8_is_told_with_its_line(tmp_path):
    (tmp_path / "a.json").write_bytes(b'[\n{"slug": "na\xefve"}]')
    (tmp_path / "b.jsonl").write_bytes(json.dumps(OURS).encode() + b'\n{"slug": "na\xefve"}\n')
    assert [str(refusal.place) for refusal in read_refusals(tmp_path)] == ["a.json:2", "b.jsonl:2"]


def test_lines_after_one_that_is_too_long_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr("knowledge.canon.transfer.json_files.MAX_LINE_BYTES", 200)
    long = json.dumps({**OURS, "body": "x" * 1000})
    (tmp_path / "a.jsonl").write_text(f"{long}\n{json.dumps(OURS)}\n")
    (refusal,) = read_refusals(tmp_path)
    assert (refusal.code, refusal.place.line) == ("line_too_long", 1)


def test_a_huge_markdown_file_is_refused_unread(tmp_path, monkeypatch):
    monkeypatch.setattr("knowledge.canon.transfer.files.MAX_MARKDOWN_BYTES", 100)
    (tmp_path / "a.md").write_text("# Title\n\n" + "word " * 100)
    (refusal,) = read_refusals(tmp_path)
    assert refusal.code == "file_too_large"


def test_headings_without_text_are_told_but_harmless(tmp_path):
    (tmp_path / "a.md").write_text("# Classes\n")
    (refusal,) = read_refusals(tmp_path, domain="srd")
    assert (refusal.code, refusal.harmless) == ("file_empty", True)


def test_folders_are_read_in_a_fixed_order_without_hidden_files_and_readmes(tmp_path):
    for name in ["b.md", "a/z.md", "a/README.md", ".hidden/x.md", "a/.x.md", "notes.txt", "10.md"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert [file.name for file in list_source_files([tmp_path, tmp_path / "b.md"])] == ["10.md", "a/z.md", "b.md"]


def test_a_path_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(ImportPathMissing):
        list_source_files([tmp_path / "nowhere"])
