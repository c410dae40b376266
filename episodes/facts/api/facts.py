"""What is known of a user: reading, writing by the engine, deleting."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.errors import FactOfTenant
from episodes.facts.actions import remove_fact, remove_world_fact, write_fact
from episodes.facts.api import shapes
from episodes.facts.selectors.evidence import Evidence, list_evidence
from episodes.facts.selectors.worlds import FactsOfWorld, find_facts_of_world, is_met_in_world
from knowledge.errors import FactKeysMissing, InvalidAsOf, InvalidExpiry, UnknownFact
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.core.types import GUARANTEED_TYPES
from knowledge.facts.selectors import FactView, get_fact, list_fact_history, list_facts
from knowledge.facts.selectors.facts import view_fact
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import CURSOR, MAX_PAGE_SIZE, render_page
from memoryproject.rest.parameters import MAX_ID, ChoiceParameter, NumberParameter, Parameters, TextParameter
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER
from memoryproject.rest.shapes import cut_page
from memoryproject.rest.times import parse_time, read_time
from memoryproject.times import render_time
from tenancy.actions.idempotency import Answer
from tenancy.api.users import USER_ID
from tenancy.api.views import MachineView
from tenancy.errors import UnknownEndUser
from tenancy.models import EndUser
from tenancy.selectors import get_end_user

BODY = Body(shapes.FACT_BODY)
LIST_PARAMETERS = Parameters(
    (
        TextParameter("as_of", "What was valid at that time, with offset.", "2026-03-01T00:00:00Z", 40),
        ChoiceParameter("type", "Only facts of this type.", "allergy", GUARANTEED_TYPES),
        ChoiceParameter("disputed", "Only disputed facts, or only those that are not.", "false", ("true", "false")),
        TextParameter("cursor", CURSOR, "allergy:31", 60, r"^[a-z_]{1,40}:[0-9]{1,19}$"),
        NumberParameter("limit", "How many at most. Until 1.0 all come at once without it.", 20, 1, MAX_PAGE_SIZE),
    )
)
FACT_ID = NumberParameter("fact_id", "", 31, 1, MAX_ID)


class UserMixin:
    """Finds the user that a path names, in the caller's tenant."""

    def find_user(self: MachineView, user_id: str) -> EndUser:  # type: ignore[misc]
        """The user; for a key of one world, one whom that world has met. Raises UnknownEndUser, UnknownWorld."""
        self.find_world()
        user = get_end_user(tenant_id=self.caller.tenant_id, external_id=user_id)
        bound_id = self.caller.world_id
        if bound_id is not None and not is_met_in_world(
            tenant_id=user.tenant_id, end_user_id=user.pk, world_id=bound_id
        ):
            raise UnknownEndUser(f"There is no user {user_id!r}.")
        return user

    def find_own_facts(self: MachineView, user: EndUser) -> FactsOfWorld | None:  # type: ignore[misc]
        """The facts that belong to the world of the key; None where it reaches all worlds."""
        bound_id = self.caller.world_id
        if bound_id is None:
            return None
        return find_facts_of_world(tenant_id=user.tenant_id, end_user_id=user.pk, world_id=bound_id)


class FactsView(UserMixin, MachineView):
    """`users/{user_id}/facts`."""

    scopes = {"GET": "read", "POST": "engine"}

    @operation(
        "facts_list",
        "Facts",
        reply(shapes.FactList, "The facts, by type."),
        UnknownEndUser,
        FactKeysMissing,
        InvalidAsOf,
        path=(USER_ID,),
        parameters=LIST_PARAMETERS,
    )
    def get(self, request: Request, user_id: str) -> Response:
        """List what is known of a user.

        The active facts, or those of another time. Disputed ones are told as such: ask, do not assert.
        """
        values = self.values
        if "as_of" in values:
            values["as_of"] = read_time(values, "as_of", InvalidAsOf)
        if "disputed" in values:
            values["disputed"] = values["disputed"] == "true"
        user = self.find_user(user_id)
        own = self.find_own_facts(user)
        if own is not None:
            values["among"] = own.fact_ids if values.get("as_of") else own.current_ids
        limit, cursor = values.pop("limit", None), values.pop("cursor", None)
        if cursor is not None:
            limit = limit or MAX_PAGE_SIZE
            type_, _, fact_id = cursor.partition(":")
            values["after"] = (type_, min(int(fact_id), MAX_ID))
        facts = list_facts(
            tenant_id=user.tenant_id, end_user_id=user.pk, limit=None if limit is None else limit + 1, **values
        )
        page, cursor = cut_page(facts, limit or len(facts), lambda fact: f"{fact.type}:{fact.id}")
        return Response(render_page([render_fact(fact, own) for fact in page], cursor, was="facts"))

    @operation(
        "facts_write",
        "Facts",
        {
            200: reply(shapes.AppliedFact, "It was known and is confirmed."),
            201: reply(shapes.AppliedFact, "It is known now, perhaps in the place of another.", outcome="written"),
        },
        FactKeysMissing,
        shapes.WRITE_CODES,
        path=(USER_ID,),
        headers=(IDEMPOTENCY_HEADER,),
        body=BODY,
        sent={"from onboarding": shapes.POSTED},
    )
    def post(self, request: Request, user_id: str) -> Response:
        """Write a fact.

        From onboarding, or explicit with the messages that say so. The same value again confirms, another supersedes.
        """
        body = self.body
        draft = parse_fact(body)
        world = self.find_world()

        def write() -> Answer:
            applied = write_fact(tenant_id=self.caller.tenant_id, user_id=user_id, draft=draft, world=world)
            applied.fact.refresh_from_db()
            own = self.find_own_facts(applied.fact.end_user)
            superseded = applied.superseded_id
            rendered = {
                "outcome": applied.outcome,
                "superseded": superseded if own is None or superseded in own.fact_ids else None,
                "fact": render_fact(view_fact(applied.fact), own),
            }
            return Answer(201 if applied.outcome in ("written", "superseded") else 200, rendered)

        return self.idempotent_response(world, body, write)


class FactDetailView(UserMixin, MachineView):
    """`users/{user_id}/facts/{fact_id}`."""

    scopes = {"GET": "read", "DELETE": "engine"}

    @operation(
        "facts_get",
        "Facts",
        reply(shapes.FactDetail, "Why it is known, and since when."),
        UnknownEndUser,
        UnknownFact,
        FactKeysMissing,
        path=(USER_ID, FACT_ID),
    )
    def get(self, request: Request, user_id: str, fact_id: int) -> Response:
        """Read a fact, its evidence and its history."""
        user = self.find_user(user_id)
        _check_id(fact_id)
        own = self.find_own_facts(user)
        if own is not None and fact_id not in own.fact_ids:
            raise UnknownFact(f"There is no fact {fact_id}.")
        history = list_fact_history(tenant_id=user.tenant_id, end_user_id=user.pk, fact_id=fact_id)
        fact = next((version for version in history if version.id == fact_id), None) or get_fact(
            tenant_id=user.tenant_id, end_user_id=user.pk, fact_id=fact_id
        )
        if own is not None:
            history = [own.trim(version) for version in history if version.id in own.fact_ids]
            fact = own.trim(fact)
        told = list_evidence(
            tenant_id=user.tenant_id, end_user_id=user.pk, message_ids=(*fact.evidence, *fact.evidence_span)
        )
        return Response(
            {
                "fact": render_fact(fact),
                "evidence": [render_evidence(each) for each in told if each.message_id in fact.evidence],
                "evidence_span": [render_evidence(each) for each in told if each.message_id in fact.evidence_span],
                "history": [render_fact(version) for version in history],
            }
        )

    @operation(
        "facts_delete",
        "Facts",
        reply(shapes.DeletedFact, "How many versions were erased; none where it was deleted before."),
        UnknownEndUser,
        UnknownFact,
        FactOfTenant,
        path=(USER_ID, FACT_ID),
    )
    def delete(self, request: Request, user_id: str, fact_id: int) -> Response:
        """Delete a fact.

        Ends the fact and erases key and value of all its versions. It can't be undone. A key of one world takes back
        what that world says: what other worlds hold as well stays with them.
        """
        user = self.find_user(user_id)
        _check_id(fact_id)
        bound_id = self.caller.world_id
        if bound_id is None:
            erased = remove_fact(tenant_id=user.tenant_id, end_user_id=user.pk, fact_id=fact_id)
        else:
            erased = remove_world_fact(
                tenant_id=user.tenant_id, end_user_id=user.pk, fact_id=fact_id, world_id=bound_id
            )
        return Response({"versions_erased": erased})


def parse_fact(body: dict[str, Any]) -> FactDraft:
    """A fact of the form of `FACT_BODY`. Raises InvalidFact for a time that is none."""
    values = {"confidence": 1.0, **body}
    values["evidence"] = tuple(values.get("evidence", ()))
    if "expires_at" in values:
        values["expires_at"] = parse_time(values["expires_at"])
        if values["expires_at"] is None:
            raise InvalidExpiry("expires_at is not a time with an offset.")
    return FactDraft(**values)


def render_fact(fact: FactView, own: FactsOfWorld | None = None) -> dict[str, Any]:
    """One version of a fact, or of it what a world may see."""
    fact = fact if own is None else own.trim(fact)
    rendered = {name: value for name, value in asdict(fact).items() if name != "said_in"}
    del rendered["tenant_id"], rendered["end_user_id"]
    for field in ("valid_from", "valid_to", "expires_at"):
        rendered[field] = render_time(rendered[field])
    return {**rendered, "evidence": list(fact.evidence), "evidence_span": list(fact.evidence_span)}


def render_evidence(message: Evidence) -> dict[str, Any]:
    """One message that proves or explains a fact."""
    return {**asdict(message), "sent_at": render_time(message.sent_at)}


def _check_id(fact_id: int) -> None:
    if fact_id > MAX_ID:
        raise UnknownFact(f"There is no fact {fact_id}.")
