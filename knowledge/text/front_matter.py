"""The YAML block at the head of a Markdown file, read strictly and with errors that name the file's line."""

import math
import re
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import yaml

_LONGEST = 64_000
_DEEPEST = 20
_NESTING = re.compile(r"[\[{]|[-?](?=\s)|^ +", re.MULTILINE)
_MAX_NESTING = 1000
"""More marks of nesting than this are left to the loader that counts depth as it goes."""


class FrontMatterError(ValueError):
    """The head of a file cannot be read. `line` counts from 1 in the file."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(f"line {line}: {reason}")
        self.reason = reason
        self.line = line


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields of a file's head and its body; `body_line` is the file's line on which the body begins."""

    fields: dict[str, Any]
    body: str
    body_line: int


def parse_front_matter(text: str) -> FrontMatter:
    """The fields and the body of a Markdown file; without a head, no fields and the whole text.

    Line ends become `\\n`. Raises FrontMatterError for a head without end, bad YAML, tabs, repeated keys, aliases, or
    anything but a mapping with text keys.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return FrontMatter({}, text, 1)
    end = next((place for place in range(1, len(lines)) if lines[place].rstrip() in ("---", "...")), None)
    if end is None:
        raise FrontMatterError("the front matter is not closed by a line of ---", 1)
    head = "\n".join(lines[1:end])
    if len(head) > _LONGEST:
        raise FrontMatterError(f"the front matter is longer than {_LONGEST} characters", 1)
    return FrontMatter(_load_fields(head), "\n".join(lines[end + 1 :]), end + 2)


class _StrictConstruction:
    """Mappings with text keys, each once; finite numbers."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key_node, _ in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key must be a text", key_node.start_mark)
            if key_node.tag != "tag:yaml.org,2002:str":
                reason = f"the key {key_node.value!r} must be a text: put it in quotes"
                raise yaml.constructor.ConstructorError(None, None, reason, key_node.start_mark)
            if key_node.value in seen:
                reason = f"the key {key_node.value!r} is given twice"
                raise yaml.constructor.ConstructorError(None, None, reason, key_node.start_mark)
            seen.add(key_node.value)
        return super().construct_mapping(node, deep)  # type: ignore[misc,no-any-return]

    def construct_number(self, node: yaml.ScalarNode) -> float:
        number: float = super().construct_yaml_float(node)  # type: ignore[misc]
        if not math.isfinite(number):
            raise yaml.constructor.ConstructorError(None, None, "a number must be finite", node.start_mark)
        return number

    def construct_date(self, node: yaml.ScalarNode) -> object:
        try:
            return super().construct_yaml_timestamp(node)  # type: ignore[misc]
        except ValueError as error:
            raise yaml.constructor.ConstructorError(None, None, f"no such date: {error}", node.start_mark) from error


class _StrictLoader(_StrictConstruction, yaml.SafeLoader):
    """Safe YAML without aliases, repeated keys or bottomless nesting."""

    _depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(None, None, "aliases are not allowed", self.peek_event().start_mark)  # type: ignore[no-untyped-call]
        self._depth += 1
        if self._depth > _DEEPEST:
            raise yaml.composer.ComposerError(None, None, "nested too deeply", self.peek_event().start_mark)  # type: ignore[no-untyped-call]
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


class _FastLoader(_StrictConstruction, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The same by libyaml, ten times as fast, which checks neither aliases nor nesting: `_load_fast` does."""


_StrictLoader.add_constructor("tag:yaml.org,2002:timestamp", _StrictLoader.construct_date)  # type: ignore[type-var]
_StrictLoader.add_constructor("tag:yaml.org,2002:float", _StrictLoader.construct_number)  # type: ignore[type-var]
_FastLoader.add_constructor("tag:yaml.org,2002:timestamp", _FastLoader.construct_date)
_FastLoader.add_constructor("tag:yaml.org,2002:float", _FastLoader.construct_number)


def _load_fields(head: str) -> dict[str, Any]:
    for place, line in enumerate(head.split("\n"), start=2):
        if "\t" in line[: len(line) - len(line.lstrip())]:
            raise FrontMatterError("YAML is indented with spaces, not tabs", place)
    fast = _load_fast(head)
    if fast is not None:
        return fast
    try:
        fields = yaml.load(head, Loader=_StrictLoader)  # noqa: S506 - a SafeLoader made stricter
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise FrontMatterError(str(error.problem or error.context), (mark.line if mark else 0) + 2) from error
    except yaml.reader.ReaderError as error:
        number = head.count("\n", 0, error.position) + 2
        raise FrontMatterError("the front matter holds a character that YAML does not allow", number) from error
    if fields is None:
        return {}
    if not isinstance(fields, dict):
        raise FrontMatterError("the front matter must be a mapping of keys to values", 2)
    return fields


def _load_fast(head: str) -> dict[str, Any] | None:
    """The fields of an ordinary head; None for one that is wrong or unusual, which the strict loader then judges."""
    if len(_NESTING.findall(head)) > _MAX_NESTING:
        return None
    loader = _FastLoader(head)
    try:
        node = loader.get_single_node()
        if not isinstance(node, yaml.MappingNode) or not _is_plain_tree(node):
            return None
        fields = loader.construct_document(node)
    except (yaml.YAMLError, ValueError):
        return None
    finally:
        loader.dispose()
    return fields if isinstance(fields, dict) else None


def _is_plain_tree(root: yaml.Node) -> bool:
    """Whether no node comes twice (which is what an alias makes) and none lies too deep."""
    seen: set[int] = set()
    waiting: list[tuple[Any, int]] = [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        if id(node) in seen or depth > _DEEPEST:
            return False
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            waiting += [(member, depth + 1) for pair in node.value for member in pair]
        elif isinstance(node, yaml.SequenceNode):
            waiting += [(member, depth + 1) for member in node.value]
    return True
