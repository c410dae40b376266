"""Runs: listed, read, undone."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from factcheck.extraction.actions.logged_decisions import undo_run
from factcheck.extraction.api import examples, shapes
from factcheck.extraction.api.operations import RUN_CODES, ExtractionView, describe_answer, describe_id
from factcheck.extraction.api.rendering import render_run, render_run_detail
from factcheck.extraction.selectors.runs import get_run, list_runs
from tenancy.api.bodies import Body
from tenancy.api.parameters import MAX_ID, NO_PARAMETERS, ChoiceParameter, NumberParameter, Parameters, TextParameter
from tenancy.api.schemas import BODY_CODES, describe_headers
from tenancy.api.shapes import answer
from tenancy.api.users import KEY_CODES, USER_CODES
from tenancy.core.audit_log import Decider
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
REVERT_CODES = {409: {"run_not_revertible": "Only an applied run can be undone, and once."}}


class RunsView(ExtractionView):
    """`extraction/runs`."""

    @extend_schema(
        operation_id="extraction_runs_list",
        tags=["Extraction"],
        summary="List runs of extraction",
        description="Newest first. A failed run says why; its messages wait for the next.",
        parameters=[*PARAMETERS.describe(), *describe_headers(world=False)],
        responses=describe_answer(shapes.ExtractionRunList, examples.RUN_LIST, USER_CODES),
    )
    def get(self, request: Request) -> Response:
        """List runs of extraction."""
        values = PARAMETERS.read(request)
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
        page = runs[: values["limit"]]
        cursor = page[-1].pk if len(runs) > len(page) else None
        return answer(shapes.ExtractionRunList(data=[render_run(run) for run in page], next_cursor=cursor))


class RunView(ExtractionView):
    """`extraction/runs/{run_id}`."""

    @extend_schema(
        operation_id="extraction_runs_get",
        tags=["Extraction"],
        summary="Read a run",
        description="With each change that was proposed, the gate's verdict on it, and what became of each message.",
        parameters=[describe_id("run_id"), *describe_headers(world=False)],
        responses=describe_answer(shapes.ExtractionRunDetail, examples.RUN_DETAIL, RUN_CODES, KEY_CODES),
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Read a run."""
        NO_PARAMETERS.read(request)
        return answer(render_run_detail(get_run(tenant_id=self.check_tenant_key(), run_id=run_id)))


class RunRevertView(ExtractionView):
    """`extraction/runs/{run_id}/revert`."""

    scopes = {"POST": "engine"}

    @extend_schema(
        operation_id="extraction_runs_revert",
        tags=["Extraction"],
        summary="Undo a run",
        description="What it wrote ends, what that had replaced or it ended holds again, candidates open again, what "
        "it alone put in doubt is so no more. Facts that people decided on, or that were stated again since, stay. "
        "Messages are not read again.",
        parameters=[describe_id("run_id"), *describe_headers(world=False)],
        request={"application/json": shapes.REASON_BODY},
        examples=[OpenApiExample("a bad prompt", {"reason": "Version 3 took jokes for facts."}, request_only=True)],
        responses=describe_answer(
            shapes.RevertedRun, examples.REVERTED, RUN_CODES, REVERT_CODES, BODY_CODES, KEY_CODES
        ),
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Undo a run."""
        NO_PARAMETERS.read(request)
        body = REASON.read(request)
        tenant_id = self.check_tenant_key()
        decider = Decider("key", self.caller.key_id, f"key {self.caller.key_prefix}")
        reverted = undo_run(tenant_id=tenant_id, run_id=run_id, decider=decider, reason=body["reason"])
        run = render_run(get_run(tenant_id=tenant_id, run_id=run_id))
        return answer(
            shapes.RevertedRun(
                run=run,
                ended=list(reverted.ended),
                restored=list(reverted.restored),
                kept=list(reverted.kept),
                settled=list(reverted.settled),
            )
        )
