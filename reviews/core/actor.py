"""Who does something to canon: a person, a machine's key, or the system itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, Protocol, get_args

ActorType = Literal["user", "key", "system"]
RoleName = Literal["editor", "reviewer", "owner"]
ROLES: Final[tuple[RoleName, ...]] = get_args(RoleName)


def read_role(name: str | None) -> RoleName | None:
    """The role of that name; None for none and for one that is not known."""
    return next((role for role in ROLES if role == name), None)


@dataclass(frozen=True, slots=True)
class Actor:
    """The doer of an action, as the audit log names it.

    ``tenant_id`` None means any tenant (the system alone); ``world_id`` narrows a key to one
    world; ``role`` None means no right to change anything.
    """

    type: ActorType
    id: int | None
    label: str
    tenant_id: int | None
    role: RoleName | None
    world_id: int | None = None

    @property
    def user_id(self) -> int | None:
        """The person's id, None for machines."""
        return self.id if self.type == "user" else None

    @property
    def key_id(self) -> int | None:
        """The key's id, None for people."""
        return self.id if self.type == "key" else None


class KeyCaller(Protocol):
    """What is needed of a parsed API caller."""

    @property
    def tenant_id(self) -> int: ...
    @property
    def world_id(self) -> int | None: ...
    @property
    def key_id(self) -> int: ...
    @property
    def key_prefix(self) -> str: ...
    @property
    def scopes(self) -> frozenset[str] | tuple[str, ...]: ...


SYSTEM = Actor(type="system", id=None, label="system", tenant_id=None, role=None)


def actor_of_key(caller: KeyCaller) -> Actor:
    """The actor behind an API key: an editor if the key has that scope, else one without rights."""
    return Actor(
        type="key",
        id=caller.key_id,
        label=f"API key {caller.key_prefix}",
        tenant_id=caller.tenant_id,
        role="editor" if "editor" in caller.scopes else None,
        world_id=caller.world_id,
    )
