"""What can go wrong in the knowledge app, by kind and code."""

from memoryproject.errors import ConflictError, InvalidError, NotFoundError, UnavailableError
from memoryproject.rest.errors import InvalidParameter


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


class EmptyQuery(InvalidQuery):
    """The query holds nothing to search by."""

    code = "query_empty"
    example = "The query is empty."


class QueryTooLong(InvalidQuery):
    """The query has more characters than are searched by."""

    code = "query_too_long"
    example = "The query has 5,120 characters; the most is 4,000."


class KOutOfRange(InvalidQuery):
    """More or fewer hits are asked for than a search gives."""

    code = "k_out_of_range"
    example = "k must lie between 1 and 50."


class LimitOutOfRange(InvalidQuery):
    """A page would be larger than a page may be."""

    code = "limit_out_of_range"


class FilterNotAllowed(InvalidQuery):
    """What is searched is not filtered by that."""

    code = "filter_not_allowed"
    example = "Art cards are not filtered by npc_id here."


class RuleLookupNeedsOne(InvalidQuery):
    """A rule is looked up by its id or by a term: by one of them."""

    code = "rule_lookup_needs_one"
    example = "Give either a term or a rule_id."


class InvalidAsOf(InvalidParameter):
    """`as_of` is not a time with an offset."""

    code = "as_of_invalid"
    example = "as_of is not a time with an offset."


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


class ReleaseAlreadyLive(ReleaseNotReady):
    """The release to go back to is the live one."""

    code = "release_already_live"


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


class GateReasonMissing(InvalidGateState):
    """Who overrides the gate says why."""

    code = "gate_reason_missing"


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


class UnknownFactType(InvalidFact):
    """No such type of facts."""

    code = "fact_type_unknown"
    example = "There is no fact type 'mood'."


class InvalidFactValue(InvalidFact):
    """A value is empty, too long or not printable."""

    code = "fact_value_invalid"
    example = "A value has 1 to 1000 printable characters."


class InstructionRefused(InvalidFact):
    """An instruction asks for more than a manner of speaking."""

    code = "instruction_refused"
    example = "An instruction can only say how to speak to the player."


class InvalidFactKey(InvalidFact):
    """A key is empty or too long."""

    code = "fact_key_invalid"
    example = "A key has 1 to 100 letters and digits."


class InvalidConfidence(InvalidFact):
    """A confidence is no share."""

    code = "fact_confidence_invalid"
    example = "Confidence lies between 0 and 1."


class FactEvidenceMissing(InvalidFact):
    """A fact names no message that it rests on."""

    code = "fact_evidence_missing"
    example = "A fact needs the messages that it rests on; only onboarding has none."


class FactDoesNotExpire(InvalidFact):
    """Facts of that type have no end."""

    code = "fact_does_not_expire"
    example = "Only life events expire."


class InvalidExpiry(InvalidFact):
    """`expires_at` is not a time with an offset."""

    code = "expires_at_invalid"
    example = "expires_at is not a time with an offset."


class FactProtected(InvalidFact):
    """What protects a person ends on an explicit denial only."""

    code = "fact_protected"


class FactNotDisputed(InvalidFact):
    """A fact that nobody doubts is not confirmed."""

    code = "fact_not_disputed"


class UnknownCorrectionType(InvalidFact):
    """No such type of corrections."""

    code = "correction_type_unknown"


class CorrectionReasonMissing(InvalidFact):
    """A person who corrects a fact says why."""

    code = "correction_reason_missing"


class CorrectedMessageMissing(InvalidFact):
    """A doubt names the message that it is about."""

    code = "corrected_message_missing"


class TriggerMessageMissing(InvalidFact):
    """A correction names the message that made it."""

    code = "trigger_message_missing"


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
