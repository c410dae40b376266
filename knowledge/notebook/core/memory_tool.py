"""The Claude memory tool (`memory_20250818`) over a tree of documents: what it answers, and what it changes.

Texts are those of the SDK's own file tool (`BetaLocalFilesystemMemoryTool`, anthropic 2.12.0), to the byte: models were
trained on them. Where a file system raises, this answers as that tool's runner does: with the exception's `repr`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from knowledge.notebook.core.names import validate_path

ROOT = "/memories"
MAX_LINES = 999_999
WIDTH = len(str(MAX_LINES))
FOLDER_SIZE = 4096
"""Of a folder as the usual file systems tell it."""
NOT_A_FOLDER = "NotADirectoryError(20, 'Not a directory')"
MISSING = "missing"
IS_A_FOLDER_ITSELF = "OSError(22, 'Invalid argument')"

EffectKind = Literal["write", "folder", "delete", "delete_folder", "rename", "rename_folder"]


@dataclass(frozen=True, slots=True)
class Effect:
    """One change of the tree. `path` and `target` are below the root, without a leading slash."""

    kind: EffectKind
    path: str
    content: str = ""
    target: str = ""
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class MemoryAnswer:
    """What the tool says, whether as an error, and what it changes, in order; errors may have made folders."""

    text: str
    is_error: bool = False
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryTree:
    """Files with their sizes in bytes, and folders, by path below the root."""

    files: Mapping[str, int]
    folders: frozenset[str]
    read: Callable[[str], str]

    def is_folder(self, path: str) -> bool:
        """Whether a folder is there; the root always is."""
        return path == "" or path in self.folders

    def exists(self, path: str) -> bool:
        """Whether a file or folder is there."""
        return self.is_folder(path) or path in self.files


@dataclass
class _ToolError(Exception):
    text: str
    effects: list[Effect] = field(default_factory=list)


def run_memory_command(command: Mapping[str, Any], tree: MemoryTree) -> MemoryAnswer:
    """The answer to `view`, `create`, `str_replace`, `insert`, `delete` or `rename`."""
    try:
        return _COMMANDS[command["command"]](command, tree)
    except _ToolError as error:
        return MemoryAnswer(error.text, is_error=True, effects=tuple(error.effects))


def _resolve(path: str) -> str:
    """The path below the root. Raises for what is outside."""
    if not path.startswith(ROOT):
        raise _ToolError(f"Path must start with {ROOT}, got: {path}")
    parts: list[str] = [ROOT[1:]]
    for part in path[len(ROOT) :].lstrip("/").split("/"):
        if part == "..":
            if not parts:
                raise _ToolError(f"Path {path} would escape {ROOT} directory")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if parts[:1] != [ROOT[1:]]:
        raise _ToolError(f"Path {path} would escape {ROOT} directory")
    return "/".join(parts[1:])


def _check_new(path: str, shown: str) -> None:
    """Names that a notebook keeps are fewer than those of a file system. Ours, not the SDK's."""
    flaw = validate_path(path) if path else None
    if flaw is not None:
        raise _ToolError(f"Path {shown} cannot be used. {flaw}")


def _view(command: Mapping[str, Any], tree: MemoryTree) -> MemoryAnswer:
    shown = command["path"]
    path = _resolve(shown)
    if tree.is_folder(path):
        return MemoryAnswer(_render_folder(path, shown, tree))
    if path not in tree.files:
        raise _ToolError(f"The path {shown} does not exist. Please provide a valid path.")
    lines = tree.read(path).split("\n")
    if len(lines) > MAX_LINES:
        raise _ToolError(f"File {shown} exceeds maximum line limit of 999,999 lines.")
    first, displayed = 1, lines
    view_range = command.get("view_range")
    if view_range and len(view_range) == 2:
        start = max(1, view_range[0]) - 1
        end = len(lines) if view_range[1] == -1 else view_range[1]
        displayed, first = lines[start:end], start + 1
    numbered = "\n".join(_number(first + index, line) for index, line in enumerate(displayed))
    return MemoryAnswer(f"Here's the content of {shown} with line numbers:\n{numbered}")


def _render_folder(path: str, shown: str, tree: MemoryTree) -> str:
    items: list[str] = []

    def collect(folder: str, relative: str, depth: int) -> None:
        for name, is_folder in _list_children(folder, tree):
            if name.startswith("."):
                continue
            child = f"{folder}/{name}" if folder else name
            told = f"{relative}/{name}" if relative else name
            if is_folder:
                items.append(f"{format_size(FOLDER_SIZE)}\t{shown}/{told}/")
                if depth < 2:
                    collect(child, told, depth + 1)
            else:
                items.append(f"{format_size(tree.files[child])}\t{shown}/{told}")

    collect(path, "", 1)
    head = f"Here're the files and directories up to 2 levels deep in {shown}, excluding hidden items:"
    return "\n".join([head, f"{format_size(FOLDER_SIZE)}\t{shown}", *items])


def _list_children(folder: str, tree: MemoryTree) -> list[tuple[str, bool]]:
    prefix = f"{folder}/" if folder else ""
    found = {}
    for paths, is_folder in ((tree.folders, True), (tree.files, False)):
        for path in paths:
            rest = path[len(prefix) :]
            if path.startswith(prefix) and rest and "/" not in rest:
                found[rest] = is_folder
    return sorted(found.items())


def _create(command: Mapping[str, Any], tree: MemoryTree) -> MemoryAnswer:
    shown = command["path"]
    path = _resolve(shown)
    _check_new(path, shown)
    if tree.exists(path):
        raise _ToolError(f"File {shown} already exists")
    effects = _make_folders(path, tree)
    return MemoryAnswer(
        f"File created successfully at: {shown}",
        effects=(*effects, Effect("write", path, command["file_text"], is_new=True)),
    )


def _make_folders(path: str, tree: MemoryTree) -> list[Effect]:
    """Folders above a path that are missing. Raises where one of them is a file."""
    parts = path.split("/")[:-1]
    above = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    if any(each in tree.files for each in above):
        raise _ToolError(NOT_A_FOLDER)
    return [Effect("folder", each) for each in above if each not in tree.folders]


def _read_file(shown: str, tree: MemoryTree) -> tuple[str, str]:
    path = _resolve(shown)
    if not tree.exists(path):
        raise _ToolError(f"The path {shown} does not exist. Please provide a valid path.")
    if path not in tree.files:
        raise _ToolError(f"The path {shown} is not a file.")
    return path, tree.read(path)


def _str_replace(command: Mapping[str, Any], tree: MemoryTree) -> MemoryAnswer:
    shown, old, new = command["path"], command["old_str"], command["new_str"]
    path, content = _read_file(shown, tree)
    count = content.count(old)
    if count == 0:
        raise _ToolError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {shown}.")
    if count > 1:
        lines = ", ".join(map(str, _list_lines(content, old)))
        raise _ToolError(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
            "Please ensure it is unique"
        )
    changed = content[: content.find(old)].count("\n")
    replaced = content.replace(old, new)
    lines_after = replaced.split("\n")
    start, end = max(0, changed - 2), min(len(lines_after), changed + 3)
    snippet = "\n".join(_number(number, lines_after[number - 1]) for number in range(start + 1, end + 1))
    return MemoryAnswer(
        f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}",
        effects=(Effect("write", path, replaced),),
    )


def _list_lines(content: str, old: str) -> list[int]:
    lines, start = [], 0
    while (place := content.find(old, start)) != -1:
        lines.append(content[:place].count("\n") + 1)
        start = place + 1
    return lines


def _insert(command: Mapping[str, Any], tree: MemoryTree) -> MemoryAnswer:
    shown, line = command["path"], command["insert_line"]
    path, content = _read_file(shown, tree)
    lines = content.split("\n")
    if lines[-1] == "":
        lines.pop()
    if line < 0 or line > len(lines):
        raise _ToolError(f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}].")
    lines.insert(line, command["insert_text"].rstrip("\n"))
    joined = "\n".join(lines)
    written = joined if joined.endswith("\n") else f"{joined}\n"
    return MemoryAnswer(f"The file {shown} has been edited.", effects=(Effect("write", path, written),))


def _delete(command: Mapping[str, Any], tree: MemoryTree) -> MemoryAnswer:
    shown = command["path"]
    path = _resolve(shown)
    if path == "":
        raise _ToolError(f"Cannot delete the {ROOT} directory itself")
    if not tree.exists(path):
        raise _ToolError(f"The path {shown} does not exist")
    kind: EffectKind = "delete" if path in tree.files else "delete_folder"
    return MemoryAnswer(f"Successfully deleted {shown}", effects=(Effect(kind, path),))


def _rename(command: Mapping[str, Any], tree: MemoryTree) -> MemoryAnswer:
    shown_old, shown_new = command["old_path"], command["new_path"]
    old, new = _resolve(shown_old), _resolve(shown_new)
    if old == "":
        raise _ToolError(f"Cannot rename the {ROOT} directory itself")
    if tree.exists(new):
        raise _ToolError(f"The destination {shown_new} already exists")
    _check_new(new, shown_new)
    missing = f"The path {shown_old} does not exist"
    parent = new.rpartition("/")[0]
    if parent in tree.files:
        # No folder is made: the move itself fails, after the way to the old path was walked.
        raise _ToolError(missing if _walk(old, tree, set()) == MISSING else NOT_A_FOLDER)
    effects = _make_folders(new, tree)
    made = {effect.path for effect in effects}
    flaw = _walk(old, tree, made)
    if flaw == NOT_A_FOLDER:
        raise _ToolError(NOT_A_FOLDER, effects)
    if flaw or (not tree.exists(old) and old not in made):
        raise _ToolError(missing, effects)
    if new.startswith(f"{old}/"):
        raise _ToolError(IS_A_FOLDER_ITSELF, effects)
    kind: EffectKind = "rename" if old in tree.files else "rename_folder"
    return MemoryAnswer(
        f"Successfully renamed {shown_old} to {shown_new}", effects=(*effects, Effect(kind, old, target=new))
    )


def _walk(path: str, tree: MemoryTree, made: set[str]) -> str:
    """What stops the way to a path: a file where a folder should be, or nothing at all there."""
    parts = path.split("/")
    for depth in range(1, len(parts)):
        above = "/".join(parts[:depth])
        if above in tree.files:
            return NOT_A_FOLDER
        if not tree.is_folder(above) and above not in made:
            return MISSING
    return ""


def _number(number: int, line: str) -> str:
    return f"{str(number).rjust(WIDTH)}\t{line}"


def format_size(size: int) -> str:
    """Bytes in the units of the SDK's tool. Example: 1536 is `1.5K`."""
    if size == 0:
        return "0B"
    index = min(int(size.bit_length() - 1) // 10, 3)
    scaled = size / (1024**index)
    unit = "BKMG"[index]
    return f"{int(scaled)}{unit}" if scaled == int(scaled) else f"{scaled:.1f}{unit}"


_COMMANDS: dict[str, Callable[[Mapping[str, Any], MemoryTree], MemoryAnswer]] = {
    "view": _view,
    "create": _create,
    "str_replace": _str_replace,
    "insert": _insert,
    "delete": _delete,
    "rename": _rename,
}
