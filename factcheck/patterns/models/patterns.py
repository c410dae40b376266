"""What messages are read with: pattern sets of patterns, guards, corrections and anchors, and the concepts that they name.

These rows belong to the installation, not to a tenant; a tenant can switch a pattern set off for itself.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Now
from django.db.models.lookups import Exact
from simple_history.models import HistoricalRecords

from factcheck.instant.core.guards import WHERE
from factcheck.instant.core.pattern_rows import CORRECTION_KINDS, MAX_PATTERN_LENGTH
from factcheck.patterns.models.versions import count_version_up
from knowledge.facts.core.types import HEARD_TYPES, KEY_RULES
from knowledge.text.languages import PATTERN_LANGUAGES

CONCEPT_USES = (*HEARD_TYPES, "event", "person", "brand")
PATTERN_SET_NAME = r"^[a-z][a-z0-9-]{0,63}$"
ROW_NAME = r"^[a-z][a-z0-9_.]{0,119}$"
KEY = r"^[a-z0-9_]{1,100}$"


def _choices(values: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(value, value.replace("_", " ")) for value in values]


def _is_object(field: str) -> Exact:
    return Exact(Func(F(field), function="jsonb_typeof", output_field=models.TextField()), Value("object"))


class ConfigurationRow(models.Model):
    """What all rows have: a switch, what shipped last, and a count of edits by which a stale form is told."""

    is_active = models.BooleanField(default=True, help_text="Off: kept, but no message is read with it.")
    shipped = models.JSONField(
        null=True, editable=False, help_text="The row as it shipped last; null for a row of the installation's own."
    )
    revision = models.PositiveIntegerField(default=1, editable=False)
    changed_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        abstract = True


class PatternPack(ConfigurationRow):
    """A named collection that is switched on or off as one."""

    name = models.CharField(max_length=64, help_text="Lowercase letters, digits, hyphens.")
    version = models.PositiveIntegerField(default=1, help_text="Of the pack's content.")
    description = models.TextField(blank=True)
    macros = models.JSONField(default=dict, blank=True, help_text="Name to expression; any pack can use them.")
    history = HistoricalRecords()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["name"], name="pattern_pack_name_unique"),
            models.CheckConstraint(condition=Q(name__regex=PATTERN_SET_NAME), name="pattern_pack_name_well_formed"),
            models.CheckConstraint(condition=_is_object("macros"), name="pattern_pack_macros_are_an_object"),
        ]
        triggers = [count_version_up("pattern_pack_counts_version_up")]

    def __str__(self) -> str:
        return self.name


class InstantPattern(ConfigurationRow):
    """What to look for in a message, and what a hit means."""

    pack = models.ForeignKey(PatternPack, on_delete=models.PROTECT, related_name="patterns", db_index=False)
    name = models.CharField(max_length=120, help_text="Unique in the pack, for example allergy.en.i_am_allergic.")
    type = models.CharField(max_length=32, choices=_choices(HEARD_TYPES))
    language = models.CharField(max_length=16, choices=_choices(PATTERN_LANGUAGES))
    pattern = models.TextField(max_length=MAX_PATTERN_LENGTH)
    key_rule = models.CharField(max_length=16, choices=_choices(KEY_RULES))
    key = models.CharField(
        max_length=100, blank=True, help_text="The key of the fact, where the rule does not find it."
    )
    anchors = models.TextField(max_length=MAX_PATTERN_LENGTH, blank=True, help_text="Must occur in the same sentence.")
    anti_anchors = models.TextField(
        max_length=MAX_PATTERN_LENGTH, blank=True, help_text="Must not occur in the sentence."
    )
    skips = ArrayField(models.CharField(max_length=64), default=list, blank=True, help_text="Guards not asked.")
    closed = models.BooleanField(default=False, help_text="Only values of the concept table; events only with a date.")
    confidence = models.FloatField(default=0.95)
    priority = models.IntegerField(default=100, help_text="Higher ones speak first.")
    rollout_percent = models.PositiveSmallIntegerField(default=100, help_text="Share of users, the same ones always.")
    history = HistoricalRecords()

    class Meta:
        ordering = ["pack", "name"]
        constraints = [
            models.UniqueConstraint(fields=["pack", "name"], name="instant_pattern_name_unique"),
            models.CheckConstraint(condition=Q(name__regex=ROW_NAME), name="instant_pattern_name_well_formed"),
            models.CheckConstraint(condition=Q(type__in=HEARD_TYPES), name="instant_pattern_type_known"),
            models.CheckConstraint(condition=Q(language__in=PATTERN_LANGUAGES), name="instant_pattern_language_known"),
            models.CheckConstraint(condition=Q(key_rule__in=KEY_RULES), name="instant_pattern_key_rule_known"),
            models.CheckConstraint(condition=Q(pattern__regex=r"\S"), name="instant_pattern_not_empty"),
            models.CheckConstraint(condition=Q(key="") | Q(key__regex=KEY), name="instant_pattern_key_well_formed"),
            models.CheckConstraint(
                condition=Q(confidence__gt=0, confidence__lte=1), name="instant_pattern_confidence_range"
            ),
            models.CheckConstraint(condition=Q(rollout_percent__lte=100), name="instant_pattern_rollout_range"),
        ]
        triggers = [count_version_up("instant_pattern_counts_version_up")]

    def __str__(self) -> str:
        return self.name


class PatternGuard(ConfigurationRow):
    """A reason not to believe a hit of any pattern set."""

    pack = models.ForeignKey(PatternPack, on_delete=models.PROTECT, related_name="guards", db_index=False)
    name = models.CharField(max_length=64, help_text="Unique: patterns name it in what they skip.")
    where = models.CharField(max_length=16, choices=_choices(WHERE))
    pattern = models.TextField(max_length=MAX_PATTERN_LENGTH)
    types = ArrayField(
        models.CharField(max_length=32, choices=_choices(HEARD_TYPES)),
        default=list,
        blank=True,
        help_text="Empty: all.",
    )
    history = HistoricalRecords()

    class Meta:
        ordering = ["pack", "name"]
        constraints = [
            models.UniqueConstraint(fields=["name"], name="pattern_guard_name_unique"),
            models.CheckConstraint(condition=Q(name__regex=ROW_NAME), name="pattern_guard_name_well_formed"),
            models.CheckConstraint(condition=Q(where__in=WHERE), name="pattern_guard_where_known"),
            models.CheckConstraint(condition=Q(pattern__regex=r"\S"), name="pattern_guard_not_empty"),
            models.CheckConstraint(
                condition=Q(types__contained_by=list(HEARD_TYPES)), name="pattern_guard_types_known"
            ),
        ]
        triggers = [count_version_up("pattern_guard_counts_version_up")]

    def __str__(self) -> str:
        return self.name


class CorrectionPattern(ConfigurationRow):
    """How people say that what they were told about themselves is wrong, doubtful or right."""

    pack = models.ForeignKey(PatternPack, on_delete=models.PROTECT, related_name="corrections", db_index=False)
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=16, choices=_choices(CORRECTION_KINDS))
    language = models.CharField(max_length=16, choices=_choices(PATTERN_LANGUAGES))
    pattern = models.TextField(max_length=MAX_PATTERN_LENGTH)
    history = HistoricalRecords()

    class Meta:
        ordering = ["pack", "name"]
        constraints = [
            models.UniqueConstraint(fields=["pack", "name"], name="correction_pattern_name_unique"),
            models.CheckConstraint(condition=Q(name__regex=ROW_NAME), name="correction_pattern_name_well_formed"),
            models.CheckConstraint(condition=Q(kind__in=CORRECTION_KINDS), name="correction_pattern_kind_known"),
            models.CheckConstraint(
                condition=Q(language__in=PATTERN_LANGUAGES), name="correction_pattern_language_known"
            ),
            models.CheckConstraint(condition=Q(pattern__regex=r"\S"), name="correction_pattern_not_empty"),
        ]
        triggers = [count_version_up("correction_pattern_counts_version_up")]

    def __str__(self) -> str:
        return self.name


class ExtractionAnchor(ConfigurationRow):
    """Words that state a relation of a fact type. What a model proposes needs one beside its value."""

    pack = models.ForeignKey(PatternPack, on_delete=models.PROTECT, related_name="anchors", db_index=False)
    name = models.CharField(max_length=120, help_text="Unique in the pack, for example allergy.en.reaction.")
    type = models.CharField(max_length=32, choices=_choices(HEARD_TYPES))
    language = models.CharField(max_length=16, choices=_choices(PATTERN_LANGUAGES))
    pattern = models.TextField(max_length=MAX_PATTERN_LENGTH)
    history = HistoricalRecords()

    class Meta:
        ordering = ["pack", "name"]
        constraints = [
            models.UniqueConstraint(fields=["pack", "name"], name="extraction_anchor_name_unique"),
            models.CheckConstraint(condition=Q(name__regex=ROW_NAME), name="extraction_anchor_name_well_formed"),
            models.CheckConstraint(condition=Q(type__in=HEARD_TYPES), name="extraction_anchor_type_known"),
            models.CheckConstraint(
                condition=Q(language__in=PATTERN_LANGUAGES), name="extraction_anchor_language_known"
            ),
            models.CheckConstraint(condition=Q(pattern__regex=r"\S"), name="extraction_anchor_not_empty"),
        ]
        triggers = [count_version_up("extraction_anchor_counts_version_up")]

    def __str__(self) -> str:
        return self.name


class Concept(ConfigurationRow):
    """A thing that facts are about: one key, and its names by language."""

    key = models.CharField(max_length=100, help_text="Lowercase English with underscores; written into facts.")
    types = ArrayField(
        models.CharField(max_length=32, choices=_choices(CONCEPT_USES)), help_text="Where its names count."
    )
    names = models.JSONField(default=dict, blank=True, help_text="Language to names.")
    by_month = models.BooleanField(default=False, help_text="An event that is told apart by its month.")
    history = HistoricalRecords()

    class Meta:
        ordering = ["key", "id"]
        constraints = [
            models.UniqueConstraint(fields=["key", "types"], name="concept_key_unique"),
            models.CheckConstraint(condition=Q(key__regex=KEY), name="concept_key_well_formed"),
            models.CheckConstraint(condition=_is_object("names"), name="concept_names_are_an_object"),
            models.CheckConstraint(
                condition=Q(types__contained_by=list(CONCEPT_USES)) & Q(types__len__gte=1), name="concept_types_known"
            ),
        ]
        triggers = [count_version_up("concept_counts_version_up")]

    def __str__(self) -> str:
        return self.key


class PackSwitchedOff(models.Model):
    """A pattern set whose patterns are not used for one tenant's messages."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    pack = models.ForeignKey(PatternPack, on_delete=models.CASCADE, related_name="switched_off", db_index=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name_plural = "packs switched off"
        ordering = ["tenant", "pack"]
        constraints = [models.UniqueConstraint(fields=["tenant", "pack"], name="pack_switched_off_once")]
        triggers = [count_version_up("pack_switch_counts_version_up")]

    def __str__(self) -> str:
        return f"{self.pack} off for {self.tenant}"
