"""What can go wrong in the graph, by kind and code."""

from memoryproject.errors import ConflictError, InvalidError, NotFoundError
from memoryproject.rest.errors import InvalidParameter


class EntityUnknown(NotFoundError):
    """No such entity (or the reader may not know it)."""

    code = "entity_not_found"
    example = "There is no entity 99."


class ProposalUnknown(NotFoundError):
    """No such proposal to merge, or no such pair."""

    code = "merge_proposal_not_found"


class ProposalDecided(ConflictError):
    """The proposal was decided already, or the merge is not one that can be undone."""

    code = "merge_proposal_decided"


class EntitiesNotSame(ConflictError):
    """An editor said that the two are not the same."""

    code = "entities_not_same"


class EntitiesMerged(ConflictError):
    """The two are one already; undo that first."""

    code = "entities_merged"


class InvalidGraphInput(InvalidError):
    """A name, relation or reason that can't be kept as it is."""

    code = "graph_input_invalid"


class InvalidGraphOwner(InvalidGraphInput):
    """Canon is told by its releases alone."""

    code = "graph_owner_invalid"


class TooManySources(InvalidGraphInput):
    """More sources are replaced at once than may be."""

    code = "graph_too_many_sources"


class GraphReasonRequired(InvalidGraphInput):
    """Who merges entities says why."""

    code = "reason_required"


class InvalidName(InvalidGraphInput):
    """A name has neither letter nor digit."""

    code = "name_invalid"


class AsOfAndRelease(InvalidParameter):
    """A release is named twice: by time and by number."""

    code = "as_of_and_release"
    example = "Send as_of or release, not both."


class AsOfAndAlias(InvalidParameter):
    """A release is named twice: by time and by alias."""

    code = "as_of_and_alias"
    example = "Send as_of or alias, not both."


CONSTRAINT_ERRORS = {"graph_entity_not_same": (EntitiesNotSame, "An editor said that these two are not the same.")}
"""Rules of the database to what their refusals mean."""
