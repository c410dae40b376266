"""Extraction of one player: now, tried without writing, and what waits for more evidence."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from factcheck.extraction.actions.dry_runs import MAX_DRY_MESSAGES, try_run
from factcheck.extraction.actions.sweeps import queue_manual_run
from factcheck.extraction.api import shapes
from factcheck.extraction.api.operations import OFF_CODES, ExtractionView
from factcheck.extraction.api.rendering import render_candidate, render_dry_run
from factcheck.extraction.errors import ProposerUnavailable, TenantKeyRequired
from factcheck.extraction.proposers.base import ProposerError
from factcheck.extraction.proposers.registry import get_proposer
from factcheck.extraction.selectors.runs import list_candidates
from knowledge.errors import FactKeysMissing
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation
from memoryproject.rest.parameters import MAX_ID, ChoiceParameter, NumberParameter, Parameters
from memoryproject.rest.shapes import answer, cut_page
from tenancy.api.users import USER_ID
from tenancy.errors import UnknownEndUser
from tenancy.models import EndUser
from tenancy.selectors import get_end_user

PARAMETERS = Parameters(
    (
        ChoiceParameter("state", "Only candidates in this state.", "open", shapes.CANDIDATE_STATES),
        NumberParameter("cursor", "`next_cursor` of the page before.", 7, 1, MAX_ID),
        NumberParameter("limit", "At most so many.", 50, 1, 100, default=50),
    )
)
DRY_RUN = Body(shapes.DRY_RUN_BODY)
DRY_RUN_SECONDS = 60.0
"""A client waits for it."""


class UserExtractionView(ExtractionView):
    """A view about one player."""

    def find_user(self, user_id: str) -> EndUser:
        """The player. Raises TenantKeyRequired, UnknownEndUser."""
        return get_end_user(tenant_id=self.check_tenant_key(), external_id=user_id)


class ExtractionsView(UserExtractionView):
    """`users/{user_id}/extractions`."""

    scopes = {"POST": "engine"}

    @operation(
        "extractions_start",
        "Extraction",
        {202: shapes.QueuedExtraction},
        TenantKeyRequired,
        UnknownEndUser,
        OFF_CODES,
        path=(USER_ID,),
        world=False,
    )
    def post(self, request: Request, user_id: str) -> Response:
        """Extract now.

        Works off what waits of the player without waiting for the session's end or the hour. No body. See
        `extraction/runs` for what came of it.
        """
        user = self.find_user(user_id)
        waiting = queue_manual_run(tenant_id=user.tenant_id, end_user_id=user.pk)
        return answer(shapes.QueuedExtraction(user_id=user.external_id, waiting=waiting), 202)


class DryRunView(UserExtractionView):
    """`users/{user_id}/extractions/dry-run`."""

    scopes = {"POST": "engine"}

    @operation(
        "extractions_dry_run",
        "Extraction",
        shapes.DryExtraction,
        TenantKeyRequired,
        UnknownEndUser,
        FactKeysMissing,
        ProposerUnavailable,
        path=(USER_ID,),
        body=DRY_RUN,
        sent={"the last thirty": {"messages": 30}},
        world=False,
        is_body_optional=True,
    )
    def post(self, request: Request, user_id: str) -> Response:
        """Try extraction.

        What the proposer makes of the player's last messages, and what the gate says of it. Nothing is written,
        whether extraction is on or off; the model is asked, and costs what it costs.
        """
        body = self.body
        user = self.find_user(user_id)
        proposer = get_proposer()
        try:
            dry = try_run(
                tenant_id=user.tenant_id,
                end_user_id=user.pk,
                proposer=proposer,
                timeout_seconds=DRY_RUN_SECONDS,
                messages=body.get("messages", MAX_DRY_MESSAGES),
            )
        except ProposerError as error:
            raise ProposerUnavailable(error.detail) from error
        return answer(render_dry_run(dry, proposer))


class CandidatesView(UserExtractionView):
    """`users/{user_id}/candidates`."""

    @operation(
        "candidates_list",
        "Extraction",
        shapes.FactCandidateList,
        TenantKeyRequired,
        UnknownEndUser,
        FactKeysMissing,
        path=(USER_ID,),
        parameters=PARAMETERS,
        world=False,
    )
    def get(self, request: Request, user_id: str) -> Response:
        """List what waits for more evidence.

        Newest first. They need a second, independent statement. No context pack tells them.
        """
        values = self.values
        user = self.find_user(user_id)
        rows = list_candidates(
            tenant_id=user.tenant_id,
            end_user_id=user.pk,
            state=values.get("state", ""),
            before=values.get("cursor"),
            limit=values["limit"] + 1,
        )
        page, cursor = cut_page(rows, values["limit"], lambda row: row[0].pk)
        return answer(shapes.FactCandidateList(data=[render_candidate(*row) for row in page], next_cursor=cursor))
