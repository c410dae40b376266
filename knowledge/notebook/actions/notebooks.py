"""Making notebooks, and seating members at them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from knowledge.notebook.core.commands import COMMANDS, POLICIES
from knowledge.notebook.core.limits import MAX_MEMBERS, MAX_NOTEBOOKS
from knowledge.notebook.core.names import validate_agent
from knowledge.notebook.errors import InvalidNotebook, NotebookFull, NotebookShared, UnknownMember, UnknownNotebook
from knowledge.notebook.models import Access, Notebook, NotebookMember
from knowledge.notebook.selectors.memberships import Seat, build_seat, find_seat
from tenancy.models import ApiKey


def write_notebook(
    *,
    tenant_id: int,
    world_id: int | None,
    slug: str,
    agent: str,
    api_key_id: int,
    title: str | None = None,
    policy: Mapping[str, str] | None = None,
    end_user_id: int | None = None,
) -> tuple[Seat, bool]:
    """The notebook with the title and policy that were given, and whether it is new; who makes it manages it.

    Raises InvalidNotebook, NotebookFull, UnknownNotebook for one of others, AccessDenied.
    """
    _check_agent(agent)
    _check_policy(policy or {})
    who: dict[str, Any] = {"tenant_id": tenant_id, "world_id": world_id, "slug": slug, "agent": agent}
    who["api_key_id"] = api_key_id
    try:
        seat = find_seat(**who)
    except UnknownNotebook:
        if NotebookMember.objects.filter(api_key_id=api_key_id, access=Access.MANAGE)[MAX_NOTEBOOKS - 1 :].exists():
            raise NotebookFull(f"A key makes at most {MAX_NOTEBOOKS} notebooks.") from None
        return _create(**who, title=title or "", policy=policy or {}, end_user_id=end_user_id), True
    if title is None and policy is None:
        return seat, False
    seat.require(Access.MANAGE)
    with transaction.atomic():
        row = Notebook.objects.select_for_update(no_key=True).get(pk=seat.notebook.pk)
        row.title = row.title if title is None else title
        row.policy = row.policy if policy is None else dict(policy)
        row.save(update_fields=["title", "policy"])
    return Seat(row, seat.agent, seat.access, seat.is_trusted), False


def _create(
    *,
    tenant_id: int,
    world_id: int | None,
    slug: str,
    agent: str,
    api_key_id: int | None,
    title: str,
    policy: Mapping[str, str],
    end_user_id: int | None,
) -> Seat:
    try:
        with transaction.atomic():
            row = Notebook.objects.create(
                tenant_id=tenant_id,
                world_id=world_id,
                end_user_id=end_user_id,
                slug=slug,
                title=title,
                policy=dict(policy),
                created_by=agent,
            )
            member = NotebookMember.objects.create(
                tenant_id=tenant_id,
                notebook=row,
                agent=agent,
                api_key_id=api_key_id,
                access=Access.MANAGE,
                is_trusted=True,
            )
    except IntegrityError:
        raise UnknownNotebook(
            f"There is no notebook {slug!r} of which {agent!r} is a member with this key, and the name is taken."
        ) from None
    return build_seat(member)


def open_own_notebook(
    *, tenant_id: int, world_id: int, slug: str, agent: str, end_user_id: int | None, title: str = ""
) -> Seat:
    """The notebook of an agent of ours, an NPC, made on need. No API key reaches it."""
    who: dict[str, Any] = {"tenant_id": tenant_id, "world_id": world_id, "slug": slug, "agent": agent}
    who["api_key_id"] = None
    try:
        return find_seat(**who)
    except UnknownNotebook:
        try:
            return _create(**who, title=title, policy={}, end_user_id=end_user_id)
        except UnknownNotebook:
            return find_seat(**who)


def write_member(
    *,
    seat: Seat,
    agent: str,
    access: str,
    api_key_id: int | None,
    key_prefix: str | None = None,
    is_trusted: bool | None = None,
) -> tuple[NotebookMember, bool]:
    """The member with that access, and whether it is new. It speaks with the key of the prefix, else with the caller's.

    A new member's writes wait in quarantine until it is trusted. Raises AccessDenied, InvalidNotebook, NotebookFull,
    NotebookShared.
    """
    seat.require(Access.MANAGE)
    _check_agent(agent)
    key_id = api_key_id if key_prefix is None else _find_key(seat.notebook, key_prefix)
    with transaction.atomic():
        Notebook.objects.select_for_update(no_key=True).get(pk=seat.notebook.pk)
        rows = NotebookMember.objects.filter(notebook=seat.notebook)
        row = rows.filter(agent=agent).first()
        is_new = row is None
        if row is None:
            if rows.count() >= MAX_MEMBERS:
                raise NotebookFull(f"A notebook has at most {MAX_MEMBERS} members.")
            row = NotebookMember(
                tenant_id=seat.notebook.tenant_id, notebook=seat.notebook, agent=agent, api_key_id=key_id
            )
        if row.access == Access.MANAGE and access != Access.MANAGE:
            _keep_a_manager(rows, agent)
        row.access = access
        row.is_trusted = row.is_trusted if is_trusted is None else is_trusted
        row.is_trusted |= access == Access.MANAGE
        if key_prefix is not None:
            row.api_key_id = key_id
        row.save()
    return row, is_new


def remove_member(*, seat: Seat, agent: str) -> None:
    """The agent is a member no more; what it wrote stays. Raises AccessDenied, UnknownMember, NotebookShared."""
    if agent != seat.agent:
        seat.require(Access.MANAGE)
    with transaction.atomic():
        Notebook.objects.select_for_update(no_key=True).get(pk=seat.notebook.pk)
        rows = NotebookMember.objects.filter(notebook=seat.notebook)
        row = rows.filter(agent=agent).first()
        if row is None:
            raise UnknownMember(f"The notebook has no member {agent[:120]!r}.")
        if row.access == Access.MANAGE:
            _keep_a_manager(rows, agent)
        row.delete()


def _keep_a_manager(rows: QuerySet[NotebookMember], agent: str) -> None:
    if not rows.filter(access=Access.MANAGE).exclude(agent=agent).exists():
        raise NotebookShared("A notebook keeps at least one member that manages it.")


def _find_key(notebook: Notebook, prefix: str) -> int:
    """The id of a key of the tenant that reaches the notebook's world. Raises InvalidNotebook."""
    key = ApiKey.objects.filter(tenant_id=notebook.tenant_id, prefix=prefix, revoked_at__isnull=True).first()
    if key is None or (key.world_id is not None and key.world_id != notebook.world_id):
        raise InvalidNotebook("There is no key with that prefix that reaches this notebook.")
    return int(key.pk)


def _check_agent(agent: str) -> None:
    flaw = validate_agent(agent)
    if flaw is not None:
        raise InvalidNotebook(flaw)


def _check_policy(policy: Mapping[str, str]) -> None:
    wrong = [name for name, what in policy.items() if name not in COMMANDS or what not in POLICIES]
    if wrong:
        raise InvalidNotebook(f"A policy names commands ({', '.join(COMMANDS)}) and one of {', '.join(POLICIES)}.")
