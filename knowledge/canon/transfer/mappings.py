"""Mapping files of imports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from knowledge.canon.core.field_maps import parse_mapping
from knowledge.errors import InvalidMapping


def read_mapping(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file. Raises InvalidMapping, which names the file and, where it can, the line."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InvalidMapping(f"{path.name}:{line}: {error.problem}", line=line) from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InvalidMapping(f"{path.name}: {error}") from error
    try:
        return parse_mapping(content)
    except InvalidMapping as error:
        raise InvalidMapping(f"{path.name}: {error.detail}", **error.extra) from error
