"""YAML files of settings, checked by a pydantic model; every mistake is named by its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import yaml
from django.core.exceptions import ImproperlyConfigured
from pydantic import BaseModel, ConfigDict, ValidationError

SAFE_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml where there is one: a tenth of the time, and every process reads forty files at its start."""


class ConfigError(ImproperlyConfigured):
    """A file of settings can't be used; the message names file, line and setting."""


class Section(BaseModel):
    """A part of a file: no unknown keys, no changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Model = TypeVar("Model", bound=BaseModel)


def parse_config(text: str, model: type[Model], *, filename: str) -> Model:
    """The file by its model. Raises ConfigError with all mistakes, each as `file:line: setting: what is wrong`."""
    try:
        node = yaml.compose(text, Loader=SAFE_LOADER)
        raw = yaml.load(text, Loader=SAFE_LOADER)  # noqa: S506 - both loaders are safe
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise ConfigError(f"{filename}:{line}: {getattr(error, 'problem', None) or error}") from error
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        lines = []
        for problem in error.errors():
            path = tuple(problem["loc"])
            lines.append(f"{filename}:{_line_of(node, path)}: {'.'.join(map(str, path)) or '(file)'}: {problem['msg']}")
        raise ConfigError("\n".join(lines)) from error


def read_config(path: Path, model: type[Model]) -> Model:
    """The file at a path by its model. Raises ConfigError as `parse_config`."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path.name}: {error.strerror}") from error
    return parse_config(text, model, filename=path.name)


def _line_of(node: Any, path: tuple[Any, ...]) -> int:
    """The line (from 1) of the deepest part of `path` that the file holds."""
    line = node.start_mark.line + 1 if node is not None else 1
    for step in path:
        if not isinstance(node, yaml.MappingNode):
            break
        for key, value in node.value:
            if key.value == str(step):
                line, node = key.start_mark.line + 1, value
                break
        else:
            break
    return line
