"""What posting a message answers by REST."""

from __future__ import annotations

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from episodes.conversations.api.shapes import StoredMessage
from factcheck.posting.shapes import MessageExtraction
from memoryproject.rest.typed_dicts import deprecated


class PostedMessage(StoredMessage):
    """Where a message got its place, and what it says about the player."""

    extraction: MessageExtraction
    understood: NotRequired[Annotated[MessageExtraction, deprecated("extraction")]]


class PostedBatch(TypedDict):
    """The messages of a batch, in its order."""

    messages: list[PostedMessage]
