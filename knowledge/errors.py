"""What can go wrong in the knowledge app, by kind and code."""

from memoryproject.errors import ConflictError, InvalidError, NotFoundError, UnavailableError


class UnknownDomain(NotFoundError):
    """No such domain in `config/knowledge.yaml`, or this world has nothing in it."""

    code = "domain_not_found"
    example = "This world has nothing in domain 'lore' yet."


class UnknownRelease(NotFoundError):
    """No such release number in this world's domain."""

    code = "release_not_found"
    example = "There is no release 99 in domain 'lore'."


class UnknownAlias(NotFoundError):
    """No such alias, or it points at nothing yet."""

    code = "alias_not_found"
    example = "There is no alias 'newest'. Known: latest, stage."


class UnknownDocument(NotFoundError):
    """No document under that slug in that release (or the reader may not know it)."""

    code = "document_not_found"
    example = "There is no document 'dragon' in release 3."


class UnknownRule(NotFoundError):
    """No rule under that id or term."""

    code = "rule_not_found"
    example = "There is no rule 'flying' in release 3."


class UnknownTag(NotFoundError):
    """No document of that release carries the tag."""

    code = "tag_not_found"
    example = "No article of release 3 carries the tag 'dragons'."


class InvalidQuery(InvalidError):
    """The query has nothing to search by, or is too long."""

    code = "query_invalid"


class InvalidArticle(InvalidError):
    """An article does not fit `schemas/lore_document.schema.json`; `errors` lists JSON path and reason."""

    code = "article_invalid"
    example = "language: 'English' does not match '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$'"


class SlugTaken(ConflictError):
    """Two articles of one release would share a slug."""

    code = "slug_taken"


class StaleBase(ConflictError):
    """The article was changed by someone else since the edit was begun."""

    code = "base_revision_stale"


class ReleaseInProgress(ConflictError):
    """A release of this domain is already being built or waits on the stage."""

    code = "release_in_progress"


class ReleaseNotReady(ConflictError):
    """The release is not in a state in which it could be swapped in."""

    code = "release_not_ready"


class GateClosed(ConflictError):
    """The golden gate has not passed and nobody has overridden it."""

    code = "golden_gate_closed"


class StageIsStale(ConflictError):
    """`latest` has moved since the stage was built on it."""

    code = "stage_stale"


class EmptyRelease(InvalidError):
    """A release needs at least one edit."""

    code = "release_empty"


class NotFirstLoad(ConflictError):
    """A first load goes into an empty domain only; later changes go through review."""

    code = "first_load_not_first"


class DocumentEditedTwice(InvalidError):
    """One release can't hold two edits of one document."""

    code = "document_edited_twice"


class NotLive(ConflictError):
    """The document is not live, so it can't be retired."""

    code = "document_not_live"


class InvalidCanaryShare(InvalidError):
    """The canary share is a percentage."""

    code = "canary_percent_invalid"


class InvalidGateState(InvalidError):
    """The gate can't come to that state from where it stands."""

    code = "gate_state_invalid"


class UnknownVectorSpace(NotFoundError):
    """No such vector space."""

    code = "vector_space_not_found"


class UnknownWorld(NotFoundError):
    """No such world."""

    code = "world_not_found"


class EmbedderUnavailable(UnavailableError):
    """The embedding endpoint did not answer in time, or answered with an error."""

    code = "embedder_unavailable"


class EmbedderMisbehaves(UnavailableError):
    """The embedding endpoint answered with something that can't be used (wrong dimensions, not numbers)."""

    code = "embedder_misbehaves"


class TextNotEmbeddable(InvalidError):
    """The embedding endpoint refuses this one text."""

    code = "text_not_embeddable"


class ImportPathMissing(InvalidError):
    """An import names a file or folder that is not there."""

    code = "import_path_missing"


class InvalidMapping(InvalidError):
    """A mapping does not fit `schemas/ingest_mapping.schema.json`; `errors` lists path and reason."""

    code = "mapping_invalid"


class ImportRefused(InvalidError):
    """Something in the files can't be imported, so nothing was."""

    code = "import_refused"


class OtherFirstLoad(ConflictError):
    """A first load of other articles is under way in this domain."""

    code = "first_load_differs"


class ArchiveDamaged(InvalidError):
    """A backup file is not complete, not what it says it is, or not a backup at all."""

    code = "archive_damaged"


class ArchiveTooNew(InvalidError):
    """A backup file was written in a format that this version does not know."""

    code = "archive_format_unknown"


class DomainNotEmpty(ConflictError):
    """A backup is restored into domains without releases only."""

    code = "domain_not_empty"


class UnknownFact(NotFoundError):
    """No such fact of this user."""

    code = "fact_not_found"
    example = "There is no fact 31."


class InvalidFact(InvalidError):
    """A fact can't be as described."""

    code = "fact_invalid"


class SoftFactType(InvalidError):
    """Facts of that type are guesses and are never kept; the conversation's own words are searched instead."""

    code = "fact_type_soft"
    example = "Facts of the type 'color_preferences' are guesses and are never kept."


class FactEnded(ConflictError):
    """The fact is not active any more."""

    code = "fact_ended"


class FactKeysMissing(UnavailableError):
    """The installation has no keys to encrypt facts with, or lacks the one that a fact was encrypted with."""

    code = "fact_keys_missing"
    example = "FACT_KEYS and FACT_INDEX_KEY are not set."
