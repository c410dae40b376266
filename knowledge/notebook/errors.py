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
    example = "There is no notebook 'backend-api' of which 'coder' is a member with this key."


class UnknownMember(NotFoundError):
    """No such member of the notebook."""

    code = "notebook_member_not_found"
    example = "The notebook has no member 'scout'."


class UnknownEntry(NotFoundError):
    """No such fact, note, document, version, proposal or conflict in the notebook."""

    code = "notebook_entry_not_found"
    example = "The notebook has no fact 'db'."


class AccessDenied(ForbiddenError):
    """The member may not do that in this notebook."""

    code = "notebook_access_denied"
    example = "'scout' may read here, not write."


class InvalidNotebook(InvalidError):
    """A notebook, a member or a policy can't be as described."""

    code = "notebook_invalid"
    example = "An agent's name has 1 to 120 Latin letters, digits, blanks and '.', '_', ':', '@', '-'."


class InvalidName(InvalidError):
    """A key or a path of a document that can't be kept: traversal, reserved names, hidden characters."""

    code = "document_name_invalid"
    example = "A path has no empty parts, no '.' and no '..'."


class InvalidEntry(InvalidError):
    """A text that can't be kept: empty, too long, with characters that are no text."""

    code = "notebook_entry_invalid"
    example = "A note says something."


class NameTaken(ConflictError):
    """Another name of the notebook looks the same, or is a folder where a document should be."""

    code = "document_name_taken"
    example = "'pаssword' looks the same as 'password', which is there."


class NotebookFull(ConflictError):
    """A quota of the notebook, or of the member, is used up."""

    code = "notebook_full"
    example = "The notebook has 5000 entries of the kind fact: archive or delete some."


class NotebookShared(ConflictError):
    """A notebook keeps at least one member that manages it."""

    code = "notebook_without_manager"
    example = "A notebook keeps at least one member that manages it."


class AlreadyDecided(ConflictError):
    """The proposal or conflict was decided before."""

    code = "notebook_already_decided"
    example = "'coder' decided: approved."


class StaleEntry(StaleVersionError):
    """The entry was changed since the caller read it; both authors are named."""

    code = "notebook_entry_stale"
    example = "'scout' wrote version 3 of 'db'; 'coder' had read another."


class EntryVersionRequired(VersionRequiredError):
    """A document that stands is replaced only by a caller who names the version that they have read."""

    code = "notebook_version_required"
    example = "'decisions/db.md' is there, version 3 by 'scout': send If-Match."


class InvalidArchive(InvalidError):
    """An archive that is no zip of Markdown files, or is too large, or holds a name that can't be kept."""

    code = "notebook_archive_invalid"
    example = "'../x.md': A path has no empty parts, no '.' and no '..'."
