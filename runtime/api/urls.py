"""Routes of the runtime app, below /api/v1/."""

from django.urls import path

from memoryproject.rest import paths  # noqa: F401 - registers the converter of ids
from runtime.chat.api.chat import ChatView
from runtime.context.api.context import ContextView
from runtime.lorebooks.api import LorebookActivationView
from runtime.notebook.api import NotebookCommandsView, NotebookContextView, NotebookPromptView
from runtime.session_memory.api.sessions import PreferenceView, SessionView
from runtime.status.api.status import StatusView
from runtime.store.api import StoreBatchView
from runtime.traces.api.traces import TraceFeedbackView, TraceQualityView, TraceReplayView, TracesView, TraceView

urlpatterns = [
    path("npc/chat", ChatView.as_view(), name="npc-chat"),
    path("npc/sessions/<id:session_id>/preference", PreferenceView.as_view(), name="session-preference"),
    path("npc/sessions/<id:session_id>", SessionView.as_view(), name="session"),
    path("context", ContextView.as_view(), name="context"),
    path("lorebooks/activate", LorebookActivationView.as_view(), name="lorebook-activate"),
    path("notebooks/<name:notebook_id>/context", NotebookContextView.as_view(), name="notebook-context"),
    path("notebooks/<name:notebook_id>/prompt", NotebookPromptView.as_view(), name="notebook-prompt"),
    path("notebooks/<name:notebook_id>/commands", NotebookCommandsView.as_view(), name="notebook-commands"),
    path("store/batch", StoreBatchView.as_view(), name="store-batch"),
    path("traces", TracesView.as_view(), name="traces"),
    path("traces/quality", TraceQualityView.as_view(), name="trace-quality"),
    path("traces/<uuid:trace_id>", TraceView.as_view(), name="trace"),
    path("traces/<uuid:trace_id>/replay", TraceReplayView.as_view(), name="trace-replay"),
    path("traces/<uuid:trace_id>/feedback", TraceFeedbackView.as_view(), name="trace-feedback"),
    path("status", StatusView.as_view(), name="status"),
]
