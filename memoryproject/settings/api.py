"""The REST API: Django REST framework and its OpenAPI description."""

from memoryproject.environment import read_choice, read_int
from memoryproject.version import get_version

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "UNAUTHENTICATED_USER": None,
    "EXCEPTION_HANDLER": "memoryproject.problems.handle_exception",
    "COERCE_DECIMAL_TO_STRING": False,
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Memory37",
    "DESCRIPTION": "Canon and long-term memory for AI game masters, NPCs and companions.",
    "VERSION": get_version(),
    "SERVERS": [{"url": "/", "description": "The installation that serves this document."}],
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "memoryproject.rest.schemas.require_bodies",
        "memoryproject.openapi_components.share_components",
    ],
    "ENUM_NAME_OVERRIDES": {
        "ChangeRequestStateEnum": "reviews.models.ChangeState.values",
        "ReleaseStateEnum": "knowledge.canon.models.ReleaseState.values",
        "ReleaseGateEnum": "knowledge.canon.models.GateState.values",
        "NpcStateEnum": "npcs.models.NpcState.values",
        "ChangeKindEnum": "reviews.models.ChangeKind.values",
        "OperationEnum": "reviews.models.Operation.values",
        "DeltaOperationEnum": "factcheck.extraction.core.deltas.OPERATIONS",
        "CandidateStateEnum": "factcheck.extraction.models.CandidateState.values",
        "TenantExtractionEnum": "tenancy.models.Extraction.values",
        "ExtractionRunModeEnum": "factcheck.extraction.models.RunMode.values",
        "ExtractionRunStateEnum": "factcheck.extraction.models.RunState.values",
        "EventStateEnum": "episodes.events.models.EventState.values",
        "EventTriggerEnum": "episodes.events.models.EventTrigger.values",
        "TriggeredByEnum": "factcheck.extraction.models.RunTrigger.values",
        "NotebookEntryKindEnum": "knowledge.notebook.models.EntryKind.values",
        "NotebookEntryStateEnum": "knowledge.notebook.models.EntryState.values",
        "NotebookConflictKindEnum": "knowledge.notebook.models.ConflictKind.values",
        "NotebookConflictStateEnum": "knowledge.notebook.models.ConflictState.values",
        "NotebookProposalStateEnum": "knowledge.notebook.models.ProposalState.values",
        "NotebookReceiptKindEnum": "knowledge.notebook.models.ReceiptKind.values",
        "NotebookOperationEnum": "knowledge.notebook.models.VersionOperation.values",
        "NotebookCommandStatusEnum": "knowledge.notebook.models.CommandStatus.values",
        "NotebookAccessEnum": "knowledge.notebook.models.Access.values",
        "MessageExtractionStateEnum": "factcheck.extraction.selectors.runs.MESSAGE_STATES",
    },
}

API_REQUESTS_PER_MINUTE = read_int("API_REQUESTS_PER_MINUTE", 1200, at_least=1)
"""How often one API key may call in a minute, unless the key says otherwise."""

ANONYMOUS_REQUESTS_PER_MINUTE = read_int("ANONYMOUS_REQUESTS_PER_MINUTE", 300, at_least=1)
"""How often one address may call a web process in a minute without a key or a session, or with a key that is none."""

THROTTLE_WITHOUT_REDIS = read_choice("THROTTLE_WITHOUT_REDIS", "refuse", ("refuse", "allow"))
"""What happens while Redis is gone and calls cannot be counted: ``refuse`` (503), or ``allow`` reads."""

MCP_THREADS = read_int("MCP_THREADS", 8, at_least=1)
"""How many requests of the MCP endpoint may do their work at once in one web process."""
