"""Which role each action needs: the one place that says so."""

from __future__ import annotations

from typing import Final

from reviews.core.actor import Actor, RoleName
from reviews.errors import RoleRequired

_RANK: Final[dict[RoleName, int]] = {"editor": 1, "reviewer": 2, "owner": 3}

REQUIRED_ROLE: Final[dict[str, RoleName]] = {
    "create": "editor",
    "edit": "editor",
    "submit": "editor",
    "withdraw": "editor",
    "comment": "editor",
    "reopen": "editor",
    "edit_golden": "editor",
    "edit_graph": "editor",
    "merge_entities": "reviewer",
    "run_golden": "editor",
    "approve_golden": "reviewer",
    "claim": "reviewer",
    "approve": "reviewer",
    "request_changes": "reviewer",
    "reject": "reviewer",
    "stage": "reviewer",
    "discard": "reviewer",
    "swap": "reviewer",
    "roll_back": "reviewer",
    "override_gate": "owner",
    "set_canary": "owner",
    "pause_extraction": "owner",
    "resume_extraction": "owner",
}
PEOPLE_ONLY: Final = frozenset(REQUIRED_ROLE) - {"create", "edit", "submit", "withdraw", "reopen"}
SYSTEM_MAY: Final = frozenset({"run_golden", "edit_golden"})
"""What the operator at the shell and beat may do: it changes no canon."""


def may(actor: Actor, verb: str) -> bool:
    """Whether the actor's role allows the verb. Whose request it is, is another question."""
    if actor.type == "system":
        return verb in SYSTEM_MAY
    if actor.role is None or (actor.type != "user" and verb in PEOPLE_ONLY):
        return False
    return _RANK[actor.role] >= _RANK[REQUIRED_ROLE[verb]]


def has_role(actor: Actor, role: RoleName) -> bool:
    """Whether the actor is a person who holds the role or a higher one."""
    return actor.type == "user" and actor.role is not None and _RANK[actor.role] >= _RANK[role]


def require(actor: Actor, verb: str) -> None:
    """Raise RoleRequired unless the actor's role allows the verb."""
    if not may(actor, verb):
        needed = REQUIRED_ROLE[verb]
        raise RoleRequired(
            f"{actor.label} may not do this: it takes a person with the role {needed} or higher."
            if verb in PEOPLE_ONLY
            else f"{actor.label} may not do this: it takes the role {needed} or higher.",
            required_role=needed,
            action=verb,
        )
