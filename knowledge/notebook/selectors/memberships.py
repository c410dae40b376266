"""Which notebook an agent means, and what it may do there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.notebook.errors import AccessDenied, UnknownMember, UnknownNotebook
from knowledge.notebook.models import Access, ChatNotebooks, Notebook, NotebookMember
from tenancy.selectors import in_world

RANKS = {access: rank for rank, access in enumerate(Access.values)}


@dataclass(frozen=True, slots=True)
class Seat:
    """One agent at one notebook."""

    notebook: Notebook
    agent: str
    access: str
    is_trusted: bool

    def may(self, access: str) -> bool:
        """Whether the member's access includes that one."""
        return RANKS[self.access] >= RANKS[access]

    def require(self, access: str) -> None:
        """Raises AccessDenied."""
        if not self.may(access):
            raise AccessDenied(
                f"{self.agent!r} may {self.access} here, not {access}.", access=self.access, needed=str(access)
            )


def find_seat(
    *, tenant_id: int, world_id: int | None, slug: str, agent: str, api_key_id: int | None, access: str = Access.READ
) -> Seat:
    """The agent's seat at the notebook. One query. Raises UnknownNotebook (whoever is no member is told no more),
    AccessDenied."""
    member = (
        NotebookMember.objects.select_related("notebook")
        .filter(
            in_world(world_id, "notebook__"),
            tenant_id=tenant_id,
            notebook__tenant_id=tenant_id,
            notebook__slug=slug,
            agent=agent,
            api_key_id=api_key_id,
        )
        .first()
    )
    if member is None:
        raise UnknownNotebook(
            f"There is no notebook {slug[:120]!r} of which {agent[:120]!r} is a member with this key."
        )
    seat = build_seat(member)
    seat.require(access)
    return seat


def find_own_seat(*, tenant_id: int, world_id: int, notebook_id: int) -> Seat | None:
    """The seat of an agent of ours, an NPC, at its notebook. One query."""
    member = (
        NotebookMember.objects.select_related("notebook")
        .filter(tenant_id=tenant_id, notebook_id=notebook_id, notebook__world_id=world_id, api_key__isnull=True)
        .first()
    )
    return None if member is None else build_seat(member)


def has_chat_notebooks(world_id: int) -> bool:
    """Whether NPCs of the world keep notebooks while they talk. One query."""
    return ChatNotebooks.objects.filter(world_id=world_id, is_enabled=True).exists()


def build_seat(member: NotebookMember) -> Seat:
    """The seat of a member whose notebook is loaded."""
    return Seat(member.notebook, member.agent, member.access, member.is_trusted)


def list_seats(
    *, tenant_id: int, world_id: int | None, agent: str, api_key_id: int, after: str = "", limit: int = 50
) -> list[Seat]:
    """The notebooks of an agent, by slug."""
    members = (
        NotebookMember.objects.select_related("notebook")
        .filter(
            in_world(world_id, "notebook__"),
            tenant_id=tenant_id,
            agent=agent,
            api_key_id=api_key_id,
            notebook__slug__gt=after,
        )
        .order_by("notebook__slug")[:limit]
    )
    return [build_seat(member) for member in members]


def list_members(notebook_id: int) -> Sequence[NotebookMember]:
    """The members of a notebook, in the order in which they came."""
    return list(NotebookMember.objects.filter(notebook_id=notebook_id).select_related("api_key").order_by("pk"))


def get_member(notebook_id: int, agent: str) -> NotebookMember:
    """A member by its name. Raises UnknownMember."""
    member = NotebookMember.objects.filter(notebook_id=notebook_id, agent=agent).select_related("api_key").first()
    if member is None:
        raise UnknownMember(f"The notebook has no member {agent[:120]!r}.")
    return member


def is_shared(notebook_id: int) -> bool:
    """Whether more than one agent is a member."""
    return NotebookMember.objects.filter(notebook_id=notebook_id)[1:2].exists()
