"""What of a value is searched: texts at paths, or the whole of it as lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

WHOLE = "$"
_TOKEN = re.compile(r"\[([^\]]*)\]|\{([^}]*)\}|([^.\[{]+)")


def list_texts(value: Mapping[str, Any], fields: Sequence[str] | None) -> list[str]:
    """The texts that an item is found by, each by itself; of the whole value (fields None) one text of lines.

    Paths are those of LangGraph: `text`, `meta.title`, `messages[*].content`, `tags[0]`, `tags[-1]`, `{title,body}`,
    `*`, and `$` for the whole. What is not there is left out, as are texts without a letter or a figure.
    """
    found: list[str] = []
    for field in [WHOLE] if fields is None else fields:
        found += ["\n".join(_list_lines(value))] if field in (WHOLE, "") else _find(value, _tokenize(field))
    return [text for text in found if any(character.isalnum() for character in text)]


def _list_lines(value: Any, name: str = "") -> Iterator[str]:
    """A line for each scalar, with the names of members that lead to it. Example: `pet name: Milka`."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _list_lines(inner, f"{name} {key}".strip())
    elif isinstance(value, list):
        for inner in value:
            yield from _list_lines(inner, name)
    elif value is not None:
        yield f"{name}: {_render(value)}" if name else _render(value)


def _tokenize(path: str) -> list[tuple[str, str]]:
    """The steps of a path: kind (`index`, `several`, `member`) and what it says."""
    steps = []
    for match in _TOKEN.finditer(path):
        index, several, member = match.groups()
        if index is not None:
            steps.append(("index", index.strip()))
        elif several is not None:
            steps.append(("several", several))
        else:
            steps.append(("member", member))
    return steps


def _find(value: Any, steps: Sequence[tuple[str, str]]) -> list[str]:
    if not steps:
        return [] if value is None else [_render(value)]
    (kind, told), rest = steps[0], steps[1:]
    if kind == "index":
        return [text for inner in _pick(value, told) for text in _find(inner, rest)]
    if kind == "several":
        return [text for path in told.split(",") for text in _find(value, [*_tokenize(path.strip()), *rest])]
    if told == "*":
        inners = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
        return [text for inner in inners for text in _find(inner, rest)]
    return _find(value[told], rest) if isinstance(value, Mapping) and told in value else []


def _pick(value: Any, index: str) -> Sequence[Any]:
    if not isinstance(value, list):
        return ()
    if index == "*":
        return value
    if not re.fullmatch(r"-?[0-9]{1,9}", index):
        return ()
    place = int(index)
    return value[place:][:1] if -len(value) <= place < len(value) else ()


def _render(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
