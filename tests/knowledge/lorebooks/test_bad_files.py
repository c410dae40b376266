"""Damaged and hostile files are refused by our own errors, with the place of the fault."""

from __future__ import annotations

import base64
import json
import random
import struct
import zlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.lorebooks import json_text, png, readers
from knowledge.lorebooks.detection import WRITTEN_FORMATS
from knowledge.lorebooks.errors import CardInvalid, LorebookFormatUnknown, WorldInfoInvalid
from knowledge.lorebooks.files import convert_file, read_document, read_lore_file, write_png_file
from knowledge.lorebooks.limits import MAX_FILE_BYTES, MAX_NESTING, MAX_TEXT_BYTES
from knowledge.lorebooks.png import SIGNATURE, Chunk, make_blank_png, parse_chunks, read_payloads, write_payloads
from tests.knowledge.lorebooks.corpus import CORPUS, load
from tests.knowledge.lorebooks.test_round_trip import json_values

CARD = json.dumps(load("card-v2-en")).encode()


def picture_with(*chunks: Chunk) -> bytes:
    header, *rest = parse_chunks(make_blank_png(2, 2))
    return SIGNATURE + b"".join(chunk.as_bytes() for chunk in (header, *chunks, *rest))


def text_chunk(kind: bytes, text: bytes, keyword: bytes = b"chara") -> Chunk:
    if kind == b"tEXt":
        return Chunk(kind, keyword + b"\x00" + text)
    if kind == b"zTXt":
        return Chunk(kind, keyword + b"\x00\x00" + zlib.compress(text))
    return Chunk(kind, keyword + b"\x00\x01\x00en\x00chara\x00" + zlib.compress(text))


@pytest.mark.parametrize("kind", [b"tEXt", b"zTXt", b"iTXt"])
@pytest.mark.parametrize("encode", [base64.b64encode, lambda text: text, base64.encodebytes])
def test_cards_are_read_from_every_kind_of_text_chunk(kind: bytes, encode: Any) -> None:
    data = picture_with(text_chunk(kind, encode(CARD), b"Chara"))
    assert read_lore_file(data).card is not None


def test_an_uncompressed_international_text_is_read() -> None:
    chunk = Chunk(b"iTXt", b"ccv3\x00\x00\x00\x00\x00" + base64.b64encode(CARD))
    assert read_payloads(picture_with(chunk)) == {"ccv3": CARD}


def test_the_newer_card_of_a_picture_counts() -> None:
    newer = json.dumps(load("card-v3-zh")).encode()
    file = read_lore_file(write_payloads(make_blank_png(2, 2), {"chara": CARD, "ccv3": newer}))
    assert file.card is not None
    assert file.card.name == "伊利亚"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (SIGNATURE, "no whole PNG"),
        (make_blank_png(2, 2), "picture without a card"),
        (make_blank_png(2, 2)[:-6], "no whole PNG"),
        (make_blank_png(2, 2)[:48], "cut short"),
        (SIGNATURE + struct.pack(">I", 2**31) + b"IHDR" + b"x" * 40, "cut short"),
        (picture_with(text_chunk(b"tEXt", b"!!!")), "no base64"),
        (picture_with(text_chunk(b"tEXt", base64.b64encode(b"{"))), "is not JSON"),
        (picture_with(text_chunk(b"tEXt", base64.b64encode(b"[1]"))), "not of lorebook entries"),
        (picture_with(Chunk(b"zTXt", b"chara\x00\x01x")), "unknown way"),
        (picture_with(Chunk(b"zTXt", b"chara\x00\x00not zlib")), "cannot be decompressed"),
        (picture_with(Chunk(b"zTXt", b"chara\x00\x00" + zlib.compress(CARD)[:-9])), "ends too early"),
        (picture_with(Chunk(b"iTXt", b"chara\x00\x00")), "ends too early"),
        (picture_with(Chunk(b"tEXt", b"chara")), "without a text"),
    ],
)
def test_damaged_pictures_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises((CardInvalid, WorldInfoInvalid), match=reason):
        read_lore_file(data)


def test_a_flipped_bit_is_found() -> None:
    data = bytearray(write_payloads(make_blank_png(2, 2), {"chara": CARD}))
    data[-80] ^= 1
    with pytest.raises(CardInvalid, match="CRC"):
        read_lore_file(bytes(data))


def test_a_zip_bomb_is_stopped_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "MAX_TEXT_BYTES", 100_000)
    bomb = zlib.compress(b"A" * 5_000_000, 9)
    for kind in (b"zTXt", b"iTXt"):
        inner = b"chara\x00\x00" if kind == b"zTXt" else b"chara\x00\x01\x00\x00\x00"
        with pytest.raises(CardInvalid, match="more than 100000 bytes"):
            read_lore_file(picture_with(Chunk(kind, inner + bomb)))


class Unread(bytes):
    """A file whose size can be asked for and whose content must not be looked at."""

    def __new__(cls, size: int) -> Unread:
        made = super().__new__(cls)
        made.size = size  # type: ignore[attr-defined]
        return made

    def __len__(self) -> int:
        return self.size  # type: ignore[attr-defined,no-any-return]

    def startswith(self, *_: Any) -> bool:  # type: ignore[override]
        raise AssertionError("a file too large was read")


def test_fifty_megabytes_are_refused_before_they_are_read() -> None:
    with pytest.raises(WorldInfoInvalid, match=str(MAX_FILE_BYTES)):
        read_lore_file(Unread(50 * 1024 * 1024))


def test_too_much_json_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_TEXT_BYTES < MAX_FILE_BYTES
    monkeypatch.setattr(json_text, "MAX_TEXT_BYTES", 100)
    with pytest.raises(WorldInfoInvalid, match="100 are taken"):
        read_lore_file(json.dumps(load("st-full")).encode())


def test_too_many_entries_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "MAX_ENTRIES", 2)
    with pytest.raises(WorldInfoInvalid) as refused:
        read_document(load("st-full"))
    assert refused.value.pointer == "/entries"


@pytest.mark.parametrize(
    "data",
    [b"", b"null", b"3", b'"x"', b"{}", b"[]", b"[[1]]", b'{"entries": 3}', b'{"a": NaN, "entries": {}}', b"\xff\xfe{",
     b'{"entries": {}, "a": ' + b"9" * 5000 + b"}", b'{"a":' * 100_000, b"[" * 200_000,
     b'{"entries": [], "a": ' + b"[" * (MAX_NESTING + 1) + b"]" * (MAX_NESTING + 1) + b"}"],
)  # fmt: skip
def test_what_is_no_book_is_refused(data: bytes) -> None:
    with pytest.raises(WorldInfoInvalid):
        read_lore_file(data)


def test_a_byte_order_mark_is_taken() -> None:
    assert read_lore_file(b"\xef\xbb\xbf" + json.dumps(load("st-full")).encode()).book.entries


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"key": {"a": 1}}, "/entries/1/key"),
        ({"key": ["a", ["b"]]}, "/entries/1/key/1"),
        ({"content": []}, "/entries/1/content"),
        ({"order": "many"}, "/entries/1/order"),
        ({"position": 9}, "/entries/1/position"),
        ({"position": -1}, "/entries/1/position"),
        ({"selectiveLogic": 4}, "/entries/1/selectiveLogic"),
        ({"disable": "maybe"}, "/entries/1/disable"),
        ({"probability": 1e400}, "/entries/1/probability"),
        ({"characterFilter": {"names": 3}}, "/entries/1/characterFilter/names"),
        ({"extensions": {"memory37": {"when": {}}}}, "/entries/1/extensions/memory37/when"),
        ({"key": ["k" * 10_001]}, "/entries/1/key/0"),
        ({"content": "k" * 500_001}, "/entries/1/content"),
    ],
)
def test_the_fault_is_pointed_at(change: dict[str, Any], pointer: str) -> None:
    book = load("st-1.18-zh")
    book["entries"]["1"] |= change
    with pytest.raises(WorldInfoInvalid) as refused:
        read_document(book)
    assert refused.value.code == "worldinfo_invalid"
    assert refused.value.extra["pointer"] == pointer
    assert pointer in refused.value.detail


def test_a_fault_in_the_book_of_a_card_is_a_fault_of_the_card() -> None:
    card = load("card-v2-en")
    card["data"]["character_book"]["entries"][1]["keys"] = 7
    with pytest.raises(CardInvalid) as refused:
        read_document(card)
    assert (refused.value.code, refused.value.pointer) == ("card_invalid", "/data/character_book/entries/1/keys")
    card["data"]["character_book"] = []
    with pytest.raises(CardInvalid) as refused:
        read_document(card)
    assert refused.value.pointer == "/data/character_book"


def test_html_and_macros_stay_text() -> None:
    book = load("st-full")
    book["entries"]["0"]["content"] = "<script>alert(1)</script> {{setvar::a::{{roll 1d6}}}} /x/ @@depth 3"
    file = read_document(book)
    assert file.book.entries[0].content == book["entries"]["0"]["content"]
    for target in WRITTEN_FORMATS:
        assert book["entries"]["0"]["content"] in json.dumps(convert_file(file, target).document)


def test_only_cards_and_novelai_books_go_into_pictures() -> None:
    file = read_document(load("st-full"))
    for target in WRITTEN_FORMATS:
        if target in {"card_v2", "card_v3", "novelai"}:
            assert read_lore_file(write_png_file(file, target)).book.entries
        else:
            with pytest.raises(LorebookFormatUnknown):
                write_png_file(file, target)


def test_origins_made_up_by_others_do_no_harm() -> None:
    book = read_document(load("book-v2-en")).book.raw
    for made_up in (3, {"set": 3}, {"set": {"key": 3}, "unset": []}, {"set": {}, "unset": ["uid"], "uid": "x"}):
        raw = json.loads(json.dumps(book))
        raw["entries"][0]["extensions"]["memory37"] = {"origins": {"sillytavern": made_up}}
        raw["extensions"]["memory37"] = {"origins": {"sillytavern": {"set": {"entries": [], "name": 3}, "unset": []}}}
        written = convert_file(read_document(raw), WRITTEN_FORMATS[0]).document
        first = next(iter(written["entries"].values()))
        assert first["content"].startswith("The Copper Gate")


def _mutate(value: Any, rng: random.Random, garbage: Any) -> Any:
    """The document with one of its values replaced."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(list(value))
        return {**value, name: _mutate(value[name], rng, garbage)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        index = rng.randrange(len(value))
        return [*value[:index], _mutate(value[index], rng, garbage), *value[index + 1 :]]
    return garbage


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.sampled_from(tuple(CORPUS)), garbage=json_values, seed=st.integers(0, 2**32))
def test_altered_documents_are_read_or_refused(name: str, garbage: Any, seed: int) -> None:
    rng = random.Random(seed)
    document = load(name)
    for _ in range(rng.randint(1, 3)):
        document = _mutate(document, rng, garbage)
    try:
        file = read_lore_file(json.dumps(document).encode())
    except (CardInvalid, WorldInfoInvalid):
        return
    assert convert_file(file, file.format).document == document
    for target in WRITTEN_FORMATS:
        convert_file(file, target)


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), garbage=st.binary(max_size=40))
def test_altered_pictures_are_read_or_refused(seed: int, garbage: bytes) -> None:
    rng = random.Random(seed)
    kind = rng.choice([b"tEXt", b"zTXt", b"iTXt"])
    data = picture_with(
        text_chunk(kind, base64.b64encode(CARD)), Chunk(rng.choice([b"tEXt", b"zTXt", b"iTXt"]), garbage)
    )
    place = rng.randrange(len(data))
    altered = rng.choice(
        [data[:place], data[:place] + garbage + data[place:], data[:place] + garbage + data[place + 9 :]]
    )
    chunk = Chunk(kind, b"ccv3\x00" + garbage)
    for each in (altered, picture_with(chunk)):
        try:
            read_lore_file(each)
        except (CardInvalid, WorldInfoInvalid):
            continue


def test_thousands_of_entries_of_one_uid_are_told_apart_without_looking_through_all_of_them() -> None:
    uids = [0, 0, "0~2", 0, 0, "0~2", *[0] * 5000]
    book = read_document({"entries": [{"uid": uid, "key": [], "content": "x"} for uid in uids]}).book
    assert [entry.uid for entry in book.entries][:6] == ["0", "0~2", "0~2~2", "0~3", "0~4", "0~2~3"]
    assert len({entry.uid for entry in book.entries}) == len(uids)
