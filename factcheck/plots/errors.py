"""What can go wrong when events are extracted, by kind and code."""

from memoryproject.errors import UnavailableError


class PlotModelMissing(UnavailableError):
    """A chat model is asked for, and none is configured."""

    code = "model_not_configured"
    example = "EVENTS_PROPOSER asks for a chat model, and none is configured."
