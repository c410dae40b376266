"""Runs: listed, read, undone."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from factcheck.extraction.actions.logged_decisions import undo_run
from factcheck.extraction.api import shapes
from factcheck.extraction.api.operations import ExtractionView, describe_id
from factcheck.extraction.api.rendering import render_run, render_run_detail
from factcheck.extraction.errors import RunNotRevertible, TenantKeyRequired, UnknownRun
from factcheck.extraction.selectors.runs import get_run, list_runs
from knowledge.errors import FactKeysMissing
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation
from memoryproject.rest.parameters import MAX_ID, ChoiceParameter, NumberParameter, Parameters, TextParameter
from memoryproject.rest.shapes import answer, cut_page, fill
from tenancy.core.audit_log import Decider
from tenancy.errors import UnknownEndUser
from tenancy.selectors import get_end_user

PARAMETERS = Parameters(
    (
        ChoiceParameter("state", "Only runs in this state.", "failed", shapes.RUN_STATES),
        TextParameter("user_id", "Only runs of this player.", "player-1", 200),
        NumberParameter("cursor", "`next_cursor` of the page before.", 7, 1, MAX_ID),
        NumberParameter("limit", "At most so many.", 50, 1, 100, default=50),
    )
)
REASON = Body(shapes.REASON_BODY)


class RunsView(ExtractionView):
    """`extraction/runs`."""

    @operation(
        "extraction_runs_list",
        "Extraction",
        shapes.ExtractionRunList,
        TenantKeyRequired,
        UnknownEndUser,
        parameters=PARAMETERS,
        world=False,
    )
    def get(self, request: Request) -> Response:
        """List runs of extraction.

        Newest first. A failed run says why; its messages wait for the next.
        """
        values = self.values
        tenant_id = self.check_tenant_key()
        user_id = values.get("user_id")
        user = None if user_id is None else get_end_user(tenant_id=tenant_id, external_id=user_id)
        runs = list_runs(
            tenant_id=tenant_id,
            state=values.get("state", ""),
            end_user_id=None if user is None else user.pk,
            before=values.get("cursor"),
            limit=values["limit"] + 1,
        )
        page, cursor = cut_page(runs, values["limit"])
        return answer(shapes.ExtractionRunList(data=[render_run(run) for run in page], next_cursor=cursor))


class RunView(ExtractionView):
    """`extraction/runs/{run_id}`."""

    @operation(
        "extraction_runs_get",
        "Extraction",
        shapes.ExtractionRunDetail,
        TenantKeyRequired,
        UnknownRun,
        FactKeysMissing,
        path=(describe_id("run_id"),),
        world=False,
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Read a run.

        With each change that was proposed, the gate's verdict on it, and what became of each message.
        """
        return answer(render_run_detail(get_run(tenant_id=self.check_tenant_key(), run_id=run_id)))


class RunRevertView(ExtractionView):
    """`extraction/runs/{run_id}/revert`."""

    scopes = {"POST": "engine"}

    @operation(
        "extraction_runs_revert",
        "Extraction",
        shapes.RevertedRun,
        TenantKeyRequired,
        UnknownRun,
        RunNotRevertible,
        FactKeysMissing,
        path=(describe_id("run_id"),),
        body=REASON,
        sent={"a bad prompt": {"reason": "Version 3 took jokes for facts."}},
        world=False,
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Undo a run.

        What it wrote ends, what that had replaced or it ended holds again, candidates open again, what it alone put
        in doubt is so no more. Facts that people decided on, or that were stated again since, stay. Messages are not
        read again.
        """
        body = self.body
        tenant_id = self.check_tenant_key()
        decider = Decider("key", self.caller.key_id, f"key {self.caller.key_prefix}")
        reverted = undo_run(tenant_id=tenant_id, run_id=run_id, decider=decider, reason=body["reason"])
        run = render_run(get_run(tenant_id=tenant_id, run_id=run_id))
        return answer(fill(shapes.RevertedRun, reverted, run=run))
