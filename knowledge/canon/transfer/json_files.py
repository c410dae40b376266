"""Drafts from JSON files, streamed: an object, a list, or one object a line; ours, or foreign ones by a mapping."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import ijson

from knowledge.canon.core.drafts import Draft, Place, Refusal
from knowledge.canon.core.field_maps import MemberMissing, apply_mapping, list_prefix
from knowledge.canon.transfer.files import SourceFile, decode, skip_byte_order_mark
from knowledge.canon.transfer.options import ReadOptions

MAX_LINE_BYTES = 8 * 1024 * 1024
MAX_LOCATED_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 100
"""ijson keeps the whole path of where it is: time and memory grow with the square of the depth."""


def read_json(file: SourceFile, options: ReadOptions) -> Iterator[Draft | Refusal]:
    """The articles of a JSON file: of its list, or the one that it is."""
    try:
        with file.path.open("rb") as stream:
            first = _first_byte(stream)
            if not first:
                yield Refusal(Place(file.name), "file_empty", "is empty")
                return
            wanted = list_prefix(options.mapping) if options.mapping else ""
            if first not in b"[{":
                yield Refusal(Place(file.name, line=1), "json_invalid", "must be a JSON object or a list of objects")
                return
            prefix = f"{wanted}.item" if wanted else "item" if first == b"[" else ""
            count = 0
            for count, found in enumerate(ijson.items(_read_events(stream), prefix), start=1):
                yield make_draft(Place(file.name, item=count), found, options)
            if not count:
                what = f"has no objects in a list at {wanted!r}" if wanted else "holds an empty list"
                yield Refusal(Place(file.name), "file_empty", what)
    except (ijson.JSONError, UnicodeDecodeError) as error:
        yield _locate_error(file, error)
    except OSError as error:
        yield Refusal(Place(file.name), "file_unreadable", error.strerror or str(error))


def read_json_lines(file: SourceFile, options: ReadOptions) -> Iterator[Draft | Refusal]:
    """The articles of a file with one JSON object a line; empty lines are skipped."""
    count = number = 0
    try:
        with file.path.open("rb") as stream:
            _first_byte(stream)
            while line := stream.readline(MAX_LINE_BYTES + 1):
                number += 1
                if not line.strip():
                    continue
                count += 1
                yield _read_line(Place(file.name, line=number), line, options)
                while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                    line = stream.readline(MAX_LINE_BYTES + 1)
    except OSError as error:
        yield Refusal(Place(file.name), "file_unreadable", error.strerror or str(error))
        return
    if not count:
        yield Refusal(Place(file.name), "file_empty", "is empty")


def make_draft(place: Place, found: object, options: ReadOptions) -> Draft | Refusal:
    """The draft of one object: by the mapping, or as it is."""
    if not isinstance(found, dict):
        return Refusal(place, "article_invalid", f"is not an object but {_kind_of(found)}")
    if options.mapping is not None:
        try:
            content = apply_mapping(options.mapping, found)
        except MemberMissing as error:
            return Refusal(place, "mapping_does_not_fit", str(error))
        content = {**options.defaults(), **content}
    else:
        content = {**options.defaults(), **found}
    if options.source and "source" not in content:
        content["source"] = options.source
    return Draft(place, content)


def _read_line(place: Place, line: bytes, options: ReadOptions) -> Draft | Refusal:
    if len(line) > MAX_LINE_BYTES:
        return Refusal(place, "line_too_long", f"is longer than {MAX_LINE_BYTES // 1024 // 1024} MB")
    text = decode(line, place)
    if isinstance(text, Refusal):
        return text
    try:
        found = json.loads(text, parse_constant=_refuse_constant)
    except ValueError as error:
        reason = f"{error.msg} at character {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
        return Refusal(place, "json_invalid", reason)
    except RecursionError:
        return Refusal(place, "json_invalid", "is nested too deeply")
    return make_draft(place, found, options)


def _read_events(stream: BinaryIO) -> Iterator[Any]:
    """The parser's events with their paths. Raises ijson.JSONError for what nests too deep."""
    return iter(ijson.parse(_check_depth(ijson.basic_parse(stream, use_float=True))))


def _check_depth(events: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    depth = 0
    for event in events:
        if event[0] in {"start_map", "start_array"}:
            depth += 1
            if depth > MAX_DEPTH:
                raise ijson.JSONError("is nested too deeply")
        elif event[0] in {"end_map", "end_array"}:
            depth -= 1
        yield event


def _locate_error(file: SourceFile, error: Exception) -> Refusal:
    """What is wrong with a JSON file, with its line where the file is small enough to be read again as a whole."""
    place = Place(file.name)
    if file.path.stat().st_size > MAX_LOCATED_BYTES:
        return Refusal(place, "json_invalid", str(error).split("\n", 1)[0])
    text = decode(file.path.read_bytes(), place)
    if isinstance(text, Refusal):
        return text
    try:
        json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as found:
        return Refusal(Place(file.name, line=found.lineno), "json_invalid", f"{found.msg} at character {found.colno}")
    except RecursionError:
        return Refusal(place, "json_invalid", "is nested too deeply")
    except ValueError as found:
        return Refusal(place, "json_invalid", str(found))
    return Refusal(place, "json_invalid", str(error).split("\n", 1)[0])


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _first_byte(stream: BinaryIO) -> bytes:
    """The first byte that is no white space, with the stream set behind a byte order mark."""
    head = stream.read(4096)
    start = skip_byte_order_mark(head)
    first = head[start:].lstrip()
    while head and not first:
        head = stream.read(4096)
        first = head.lstrip()
    stream.seek(start)
    return first[:1]


def _kind_of(value: object) -> str:
    names = {list: "a list", str: "a text", bool: "a truth value", int: "a number", float: "a number"}
    return names.get(type(value), "null")
