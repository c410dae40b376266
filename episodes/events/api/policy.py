"""How a world wants its events: read, and replaced as a whole by who names the version that they have seen."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.events.actions.policies import PolicyDraft, read_draft, replace_policy
from episodes.events.api import shapes
from episodes.events.errors import EventPolicyChanged, EventPolicyInvalid, EventPolicyVersionRequired
from episodes.events.models import EventPolicy
from episodes.events.selectors.policies import get_policy
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation
from memoryproject.rest.parameters import TextParameter, read_header
from memoryproject.rest.schemas import WORLD_CODES
from memoryproject.rest.shapes import answer, fill
from memoryproject.rest.typed_dicts import build_example
from tenancy.api.views import MachineView
from tenancy.core.audit_log import Decider

IF_MATCH = TextParameter(
    "If-Match",
    "The `version` that the policy is based on; 0: the world has none yet. Another one by now is 412, none 428.",
    "2",
    12,
    pattern=r'^"?[0-9]{1,9}"?$',
)
LARGER = {name: value for name, value in build_example(shapes.EventPolicyShape, every=20).items() if name != "version"}


class EventPolicyView(MachineView):
    """`events/policy`."""

    scopes = {"GET": "read", "PUT": "engine"}

    @operation("event_policy_get", "Events", shapes.EventPolicyShape, WORLD_CODES)
    def get(self, request: Request) -> Response:
        """Read how a world wants its events.

        With its version as `ETag`. A world without a policy of its own has the installation's defaults.
        """
        return _answer(get_policy(self.get_world().world_id))

    @operation(
        "event_policy_replace",
        "Events",
        shapes.EventPolicyShape,
        WORLD_CODES,
        EventPolicyInvalid,
        EventPolicyChanged,
        EventPolicyVersionRequired,
        headers=(IF_MATCH,),
        body=Body(shapes.POLICY),
        sent={"larger events": LARGER},
    )
    def put(self, request: Request) -> Response:
        """Replace how a world wants its events.

        The whole policy. Sizes hold from the next chunk and sweep; lorebooks are rendered by new templates within five
        minutes. The change is in the audit log.
        """
        seen = read_header(request, IF_MATCH)
        policy = replace_policy(
            world_id=self.get_world().world_id,
            draft=PolicyDraft(**self.body),
            expected_version=None if seen is None else int(seen.strip('"')),
            decider=Decider("key", self.caller.key_id, f"key {self.caller.key_prefix}"),
        )
        return _answer(policy)


def _answer(policy: EventPolicy) -> Response:
    version = policy.version if policy.pk else 0
    draft = read_draft(policy)
    return answer(fill(shapes.EventPolicyShape, draft, version=version, templates=dict(draft.templates)), etag=version)
