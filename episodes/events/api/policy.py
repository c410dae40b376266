"""How a world wants its events: read, and replaced as a whole by who names the version that they have seen."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.events.actions.policies import PolicyDraft, read_draft, replace_policy
from episodes.events.api import examples, shapes
from episodes.events.models import EventPolicy
from episodes.events.selectors.policies import get_policy
from tenancy.api.bodies import Body
from tenancy.api.parameters import NO_PARAMETERS, TextParameter, read_header
from tenancy.api.schemas import BODY_CODES, WORLD_CODES, describe_headers
from tenancy.api.shapes import answer, describe_answer
from tenancy.api.views import MachineView
from tenancy.core.audit_log import Decider

POLICY = Body(shapes.POLICY_BODY)
IF_MATCH = TextParameter(
    "If-Match",
    "The `version` that the policy is based on; 0: the world has none yet. Another one by now is 412, none 428.",
    "2",
    12,
    pattern=r'^"?[0-9]{1,9}"?$',
)


class EventPolicyView(MachineView):
    """`events/policy`."""

    scopes = {"GET": "read", "PUT": "engine"}

    @extend_schema(
        operation_id="event_policy_get",
        tags=["Events"],
        summary="Read how a world wants its events",
        description="With its version as `ETag`. A world without a policy of its own has the installation's defaults.",
        parameters=describe_headers(),
        responses=describe_answer(shapes.EventPolicyShape, examples.POLICY, WORLD_CODES),
    )
    def get(self, request: Request) -> Response:
        """Read how a world wants its events."""
        NO_PARAMETERS.read(request)
        return _answer(get_policy(self.get_world().world_id))

    @extend_schema(
        operation_id="event_policy_replace",
        tags=["Events"],
        summary="Replace how a world wants its events",
        description="The whole policy. Sizes hold from the next chunk and sweep; lorebooks are rendered by new "
        "templates within five minutes. The change is in the audit log.",
        parameters=describe_headers(IF_MATCH),
        request={"application/json": shapes.POLICY_BODY},
        examples=[
            OpenApiExample(
                "larger events",
                {name: value for name, value in examples.POLICY.items() if name != "version"} | {"every": 20},
                request_only=True,
            )
        ],
        responses=describe_answer(
            shapes.EventPolicyShape, examples.POLICY, WORLD_CODES, examples.POLICY_CODES, BODY_CODES
        ),
    )
    def put(self, request: Request) -> Response:
        """Replace how a world wants its events."""
        NO_PARAMETERS.read(request)
        seen = read_header(request, IF_MATCH)
        body = POLICY.read(request)
        policy = replace_policy(
            world_id=self.get_world().world_id,
            draft=PolicyDraft(**body),
            expected_version=None if seen is None else int(seen.strip('"')),
            decider=Decider("key", self.caller.key_id, f"key {self.caller.key_prefix}"),
        )
        return _answer(policy)


def _answer(policy: EventPolicy) -> Response:
    version = policy.version if policy.pk else 0
    draft = read_draft(policy)
    response = answer(
        shapes.EventPolicyShape(
            version=version,
            is_enabled=draft.is_enabled,
            every=draft.every,
            archive_at=draft.archive_at,
            archive_tokens=draft.archive_tokens,
            archived_entries=draft.archived_entries,
            templates=dict(draft.templates),
        )
    )
    response["ETag"] = f'"{version}"'
    return response
