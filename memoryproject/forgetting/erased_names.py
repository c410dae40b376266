"""A user's id gives way to a placeholder: as a name, in lines of text, and the database's check of both."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

PLACEHOLDER = re.compile(r"erased-[0-9a-f]{16}")
"""What the order to erase makes of an id; drawn at random, so that nothing leads back."""
COMMON_WORD = re.compile(r"[0-9]{1,4}|..?", re.DOTALL)
"""An id of that form is only replaced where it is the whole text: within prose it is a number or a word like any."""


@dataclass(frozen=True)
class ErasedName:
    """An id that is erased and what stands in its place from now on."""

    old: str
    placeholder: str

    def in_line(self, text: str) -> str:
        """The text with the placeholder where the id stood by itself, not within a longer word."""
        if text == self.old:
            return self.placeholder
        return text if self._pattern is None else self._pattern.sub(lambda _: self.placeholder, text)

    def in_all_lines(self, value: Any) -> Any:
        """The JSON value with the placeholder in all its texts; names of members stay."""
        if isinstance(value, dict):
            return {name: self.in_all_lines(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self.in_all_lines(each) for each in value]
        return self.in_line(value) if isinstance(value, str) else value

    def in_field(self, value: Any) -> Any:
        """The placeholder for the id itself; anything else stays."""
        return self.placeholder if value == self.old else value

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        if COMMON_WORD.fullmatch(self.old):
            return None
        return re.compile(rf"(?<![^\W_]){re.escape(self.old)}(?![^\W_])")


def write_erasure_check() -> str:
    """SQL for an append-only trigger: whether `kept` differs from `OLD` by nothing but a placeholder.

    The placeholder is that of the user whom this transaction erases: put the id in its place, and the row is as it was.
    The order to erase sets both settings and `erased_in`, which nothing else can set.
    """
    old = "to_json(current_setting('memory37.erased_name', true))::text"
    return f"""EXISTS (
                    SELECT 1 FROM tenancy_enduser u
                    WHERE u.id = nullif(current_setting('memory37.erased_user', true), '')::bigint
                        AND u.tenant_id = OLD.tenant_id AND u.erased_in = pg_current_xact_id()::text::bigint
                        AND replace(to_jsonb(kept)::text, u.external_id, substr({old}, 2, length({old}) - 2))
                            = to_jsonb(OLD)::text
                )"""  # noqa: S608 - our own names
