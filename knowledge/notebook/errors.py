"""What can go wrong in notebooks, by kind and code."""

from memoryproject.errors import (
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    StaleVersionError,
    VersionRequiredError,
)


class UnknownNotebook(NotFoundError):
    """No such notebook in the world, or the agent is no member of it."""

    code = "notebook_not_found"


class UnknownMember(NotFoundError):
    """No such member of the notebook."""

    code = "notebook_member_not_found"


class UnknownEntry(NotFoundError):
    """No such fact, note, document, version, proposal or conflict in the notebook."""

    code = "notebook_entry_not_found"


class AccessDenied(ForbiddenError):
    """The member may not do that in this notebook."""

    code = "notebook_access_denied"


class InvalidNotebook(InvalidError):
    """A notebook, a member or a policy can't be as described."""

    code = "notebook_invalid"


class InvalidName(InvalidError):
    """A key or a path of a document that can't be kept: traversal, reserved names, hidden characters."""

    code = "document_name_invalid"


class InvalidEntry(InvalidError):
    """A text that can't be kept: empty, too long, with characters that are no text."""

    code = "notebook_entry_invalid"


class NameTaken(ConflictError):
    """Another name of the notebook looks the same, or is a folder where a document should be."""

    code = "document_name_taken"


class NotebookFull(ConflictError):
    """A quota of the notebook, or of the member, is used up."""

    code = "notebook_full"


class NotebookShared(ConflictError):
    """A notebook keeps at least one member that manages it."""

    code = "notebook_without_manager"


class AlreadyDecided(ConflictError):
    """The proposal or conflict was decided before."""

    code = "notebook_already_decided"


class StaleEntry(StaleVersionError):
    """The entry was changed since the caller read it; both authors are named."""

    code = "notebook_entry_stale"


class EntryVersionRequired(VersionRequiredError):
    """A document that stands is replaced only by a caller who names the version that they have read."""

    code = "notebook_version_required"


class InvalidArchive(InvalidError):
    """An archive that is no zip of Markdown files, or is too large, or holds a name that can't be kept."""

    code = "notebook_archive_invalid"
