"""Files of lorebooks and cards: read whatever their format, converted, and written, JSON or PNG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from knowledge.lorebooks.cards import V2, V3, list_said_fields, read_card, write_card
from knowledge.lorebooks.conversion import convert_book
from knowledge.lorebooks.core.book import Book
from knowledge.lorebooks.core.card import Card
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.detection import CARDS, WRITTEN_FORMATS, Detected, FileFormat, detect
from knowledge.lorebooks.errors import CardInvalid, LorebookFormatUnknown, WorldInfoInvalid
from knowledge.lorebooks.formats.registry import FORMATS
from knowledge.lorebooks.json_text import copy_json, get_path, json_equal, parse_json, render_json, set_path
from knowledge.lorebooks.limits import MAX_FILE_BYTES
from knowledge.lorebooks.losses import Loss, Outcome, report_losses
from knowledge.lorebooks.png import (
    CARD_V2,
    CARD_V3,
    KEYWORDS,
    NOVELAI,
    is_png,
    make_blank_png,
    read_payloads,
    write_payloads,
)
from knowledge.lorebooks.readers import read_book
from knowledge.lorebooks.writers import write_book

TARGET_DIALECTS = {
    FileFormat.SILLYTAVERN: Dialect.SILLYTAVERN,
    FileFormat.CHARACTER_BOOK: Dialect.CHARACTER_BOOK,
    FileFormat.CARD_V2: Dialect.CHARACTER_BOOK,
    FileFormat.CARD_V3: Dialect.CHARACTER_BOOK_V3,
    FileFormat.LOREBOOK_V3: Dialect.CHARACTER_BOOK_V3,
    FileFormat.RISU: Dialect.RISU,
    FileFormat.NOVELAI: Dialect.NOVELAI,
    FileFormat.AGNAI: Dialect.AGNAI,
}


@dataclass(frozen=True, slots=True)
class LoreFile:
    """A file as read: its book, the card around it if it is one, and all that is needed to write it again.

    Edit with `dataclasses.replace` on `book` and `card`; a card's book is `book`, `card.book` is only where it began.
    """

    format: FileFormat
    book: Book
    card: Card | None = None
    document: Any = field(default_factory=dict, repr=False)
    detected: Detected | None = None
    image: bytes | None = field(default=None, repr=False)
    payloads: Mapping[str, bytes] = field(default_factory=dict, repr=False)  # texts of the picture, as read


@dataclass(frozen=True, slots=True)
class Converted:
    """A file in the target format, and what that costs."""

    format: FileFormat
    document: Any
    losses: tuple[Loss, ...]


def read_lore_file(data: bytes) -> LoreFile:
    """The book or card in the file. Raises CardInvalid or WorldInfoInvalid with the JSON pointer of the fault."""
    if len(data) > MAX_FILE_BYTES:
        raise WorldInfoInvalid(f"has {len(data)} bytes; {MAX_FILE_BYTES} are taken")
    if not is_png(data):
        return read_document(parse_json(data))
    payloads = read_payloads(data)
    keyword = next((name for name in KEYWORDS if name in payloads), None)
    if keyword is None:
        raise CardInvalid(f"is a picture without a card: none of the chunks {', '.join(KEYWORDS)} is there")
    refusal = WorldInfoInvalid if keyword == NOVELAI else CardInvalid
    found = read_document(parse_json(payloads[keyword], refusal=refusal))
    return replace(found, image=data, payloads=payloads)


def read_document(document: Any) -> LoreFile:
    """The book or card of a parsed JSON document."""
    detected = detect(document)
    if detected.is_bare:
        place = FORMATS[detected.dialect].entries_path[0]
        book = read_book({place: document}, detected.dialect)
        return LoreFile(detected.format, book, document=document, detected=detected)
    if detected.card_path is not None:
        card = read_card(document, detected.card_path, detected.dialect)
        book = card.book or Book(name=card.name, dialect=detected.dialect)
        return LoreFile(detected.format, book, card, document, detected)
    pointer = "".join(f"/{name}" for name in detected.book_path)
    book = read_book(get_path(document, detected.book_path)[1], detected.dialect, pointer)
    return LoreFile(detected.format, book, document=document, detected=detected)


def convert_file(file: LoreFile, target: FileFormat) -> Converted:
    """The file in the target format with its losses. In its own format nothing is lost, edits are put in."""
    if target not in WRITTEN_FORMATS and target is not file.format:
        raise LorebookFormatUnknown(f"{target.value} is not written; take one of {', '.join(WRITTEN_FORMATS)}")
    if target is file.format and file.detected is not None:
        return Converted(target, _write_same(file, file.detected), tuple(report_losses(file.book, file.book.dialect)))
    dialect = TARGET_DIALECTS[target]
    converted = convert_book(file.book, dialect)
    losses = [*_report_card(file, target), *report_losses(file.book, dialect, converted)]
    return Converted(target, _wrap(file, target, write_book(converted)), tuple(losses))


def write_png_file(file: LoreFile, target: FileFormat, image: bytes | None = None) -> bytes:
    """The file as a picture: a card in `chara` (V2) and `ccv3` (V3) both, a NovelAI book in `naidata`.

    What was read from a picture and not edited is written back word for word.
    """
    picture = image or file.image or make_blank_png()
    if target is FileFormat.NOVELAI:
        return write_payloads(picture, {NOVELAI: _payload(file, NOVELAI, FileFormat.NOVELAI)})
    if target not in {FileFormat.CARD_V2, FileFormat.CARD_V3}:
        raise LorebookFormatUnknown(f"{target.value} is not written into pictures; take card_v2, card_v3 or novelai")
    if file.payloads and target is file.format and _is_unedited(file):
        return write_payloads(picture, {name: file.payloads[name] for name in KEYWORDS if name in file.payloads})
    payloads = {
        CARD_V2: _payload(file, CARD_V2, FileFormat.CARD_V2),
        CARD_V3: _payload(file, CARD_V3, FileFormat.CARD_V3),
    }
    return write_payloads(picture, payloads)


def _payload(file: LoreFile, keyword: str, target: FileFormat) -> bytes:
    if keyword in file.payloads and target is file.format and _is_unedited(file):
        return file.payloads[keyword]
    return render_json(convert_file(file, target).document, indent=None)


def _is_unedited(file: LoreFile) -> bool:
    return file.detected is not None and json_equal(_write_same(file, file.detected), file.document)


def _write_same(file: LoreFile, detected: Detected) -> Any:
    """The document as read, with the edits of book and card."""
    spelling = FORMATS[file.book.dialect]
    if detected.is_bare:
        return write_book(file.book)[spelling.entries_path[0]]
    if file.card is None or detected.card_path is None:
        document = copy_json(file.document)
        book = write_book(file.book)
        if not detected.book_path:
            return book
        set_path(document, detected.book_path, book)
        return document
    has_book = bool(file.book.raw or file.book.entries)
    version = V3 if file.format is FileFormat.CARD_V3 else V2
    written = write_card(file.card, version, write_book(file.book) if has_book else None)
    data = _without_additions(written["data"], file.card.raw)
    if not detected.card_path:
        return data
    document = copy_json(file.document)
    set_path(document, detected.card_path, data)
    return document


def _without_additions(data: dict[str, Any], raw: Mapping[str, Any]) -> dict[str, Any]:
    """The data without members that a new card would have and this one never had."""
    added = [name for name in ("group_only_greetings", "extensions") if name not in raw and not data.get(name)]
    return {name: value for name, value in data.items() if name not in added}


def _wrap(file: LoreFile, target: FileFormat, book: dict[str, Any]) -> Any:
    if target is FileFormat.LOREBOOK_V3:
        return {"spec": "lorebook_v3", "data": book}
    if target not in CARDS:
        return book
    card = file.card or Card(name=file.book.name or "Lorebook")
    has_book = file.card is None or bool(file.book.raw or file.book.entries)
    return write_card(card, V3 if target is FileFormat.CARD_V3 else V2, book if has_book else None)


def _report_card(file: LoreFile, target: FileFormat) -> list[Loss]:
    if target in CARDS and file.card is None:
        why = "a card is made around the book: it has the book's name and no character"
        return [Loss(None, file.book.name, "card", Outcome.APPROXIMATED, why)]
    if file.card is None:
        return []
    title, fields = file.card.name, list_said_fields(file.card)
    if target not in CARDS:
        why = f"{target.value} is a book, and holds no character"
        return [Loss(None, title, f"card.{name}", Outcome.DROPPED, why) for name in fields]
    v3_only = "stays in the file; readers of V2 ignore it" if target is FileFormat.CARD_V2 else ""
    lines = [Loss(None, title, f"card.{name}", Outcome.KEPT, "") for name in fields if name != "nickname"]
    if "nickname" in fields:
        lines.append(Loss(None, title, "card.nickname", Outcome.KEPT, v3_only))
    return lines
