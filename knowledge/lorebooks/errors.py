"""What can be wrong with lorebooks and cards that others hand in, by code, with a JSON pointer to the place."""

from __future__ import annotations

from memoryproject.errors import InvalidError


class WorldInfoInvalid(InvalidError):
    """A lorebook cannot be read; `pointer` is the JSON pointer (RFC 6901) of what is wrong, empty for all of it."""

    code = "worldinfo_invalid"
    example = "/entries/0/key must be a list, not a number"

    def __init__(self, detail: str, *, pointer: str = "") -> None:
        super().__init__(f"{pointer or 'The file'} {detail}", pointer=pointer)
        self.pointer = pointer
        self.reason = detail


class CardInvalid(InvalidError):
    """A character card, or the picture that carries it, cannot be read; `pointer` as above."""

    code = "card_invalid"
    example = "The file has no character."

    def __init__(self, detail: str, *, pointer: str = "") -> None:
        super().__init__(f"{pointer or 'The file'} {detail}", pointer=pointer)
        self.pointer = pointer
        self.reason = detail


class LorebookFormatUnknown(InvalidError):
    """No such format to write a lorebook in, or it cannot hold what is asked for."""

    code = "lorebook_format_unknown"
    example = "risu is not written into pictures; take card_v2, card_v3 or novelai"


class ActivationTooLarge(InvalidError):
    """Books, chat and settings would take more steps than one activation may."""

    code = "activation_too_large"
    example = (
        "The books and the chat are too large for one activation: send fewer entries or keys, a shorter chat, or a "
        "smaller scan_depth."
    )
