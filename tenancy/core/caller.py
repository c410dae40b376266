"""Who calls the API, and in which world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

INCLUDED_SCOPES: Mapping[str, frozenset[str]] = {"engine": frozenset({"read"})}
"""What a scope allows besides its own: an engine that writes play asks what it wrote."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The machine behind an API key that has been checked."""

    tenant_id: int
    tenant_slug: str
    world_id: int | None
    """The one world that the key is for; None: every world of the tenant."""
    key_id: int
    key_prefix: str
    scopes: frozenset[str]
    requests_per_minute: int | None = None
    """The key's own rate; None: the installation's."""

    def has_scope(self, scope: str) -> bool:
        """Whether the key was issued for this, or for a scope that includes it."""
        return scope in self.scopes or any(scope in INCLUDED_SCOPES.get(each, ()) for each in self.scopes)


@dataclass(frozen=True, slots=True)
class WorldRef:
    """The world that a call is about."""

    world_id: int
    tenant_id: int
    slug: str
    name: str
    is_bound: bool = False
    """Whether the key is for this world alone: then it reaches nothing that only other worlds of the tenant hold."""

    @property
    def bound_id(self) -> int | None:
        """The world's id where the key reaches no other, else None."""
        return self.world_id if self.is_bound else None
