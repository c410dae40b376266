"""Packs, patterns, guards, corrections and concepts; and the packs that a tenant does without."""

from __future__ import annotations

import re
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from factcheck.instant.core.validation import SKIPS_WITHOUT_GUARD
from factcheck.models import (
    Concept,
    CorrectionPattern,
    ExtractionAnchor,
    InstantPattern,
    PackSwitchedOff,
    PatternGuard,
    PatternPack,
)
from factcheck.patterns.actions.patterns import switch_pattern_set_off, switch_pattern_set_on
from factcheck.patterns.admin.installation import InstallationAdmin, RowForm, show_state
from factcheck.patterns.models.patterns import CONCEPT_USES
from knowledge.facts.core.types import HEARD_TYPES
from knowledge.text.languages import HEARD_LANGUAGES, LANGUAGES
from tenancy.admin.tenant_filter import TenantFilteredAdmin
from tenancy.models import Role

MACRO = re.compile(r"^([a-z_]+) = (.*\S.*)$")
NAMED_LANGUAGES = [code for code in HEARD_LANGUAGES if LANGUAGES[code].concept_names]


def expression_widget(rows: int = 3) -> UnfoldAdminTextareaWidget:
    """A field for RE2."""
    return UnfoldAdminTextareaWidget(attrs={"rows": rows, "dir": "auto", "spellcheck": "false", "class": "font-mono"})


class ExpressionForm(RowForm):
    """A row that holds an expression."""

    class Meta:
        widgets = {name: expression_widget() for name in ("pattern", "anchors", "anti_anchors")}


class PatternForm(ExpressionForm):
    """A pattern; what it skips is chosen from the guards."""

    skips = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Guards that this pattern does not ask; question: it may stand in a question.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "skips" in self.fields:
            names = [*SKIPS_WITHOUT_GUARD, *PatternGuard.objects.order_by("name").values_list("name", flat=True)]
            self.fields["skips"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]


class GuardForm(ExpressionForm):
    """A guard and the types that it is asked for."""

    types = forms.MultipleChoiceField(
        choices=[(name, name) for name in HEARD_TYPES], required=False, widget=forms.CheckboxSelectMultiple,
        help_text="None: all types.",
    )  # fmt: skip


class PatternSetForm(RowForm):
    """A pack with its macros, one a line."""

    macros = forms.CharField(
        required=False,
        strip=False,
        widget=expression_widget(16),
        help_text="One a line: name = expression. Rows of any pack write {name} for it.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["macros"] = "\n".join(f"{name} = {text}" for name, text in (self.instance.macros or {}).items())

    def clean_macros(self) -> dict[str, str]:
        """Name to expression."""
        macros: dict[str, str] = {}
        for number, line in enumerate(self.cleaned_data["macros"].splitlines(), start=1):
            if not line.strip():
                continue
            match = MACRO.match(line)
            if match is None or match[1] in macros:
                raise ValidationError(
                    f"Line {number}: write `name = expression`, each name once.", code="macro_invalid"
                )
            macros[match[1]] = match[2]
        return macros


def names_field(language: str) -> forms.CharField:
    """The names in one language."""
    return forms.CharField(
        required=False,
        max_length=4_000,
        label=f"Names, {language}",
        widget=UnfoldAdminTextInputWidget(attrs={"dir": "auto"}),
        help_text="Separated by commas. Inflected forms are found by stemming.",
    )


class ConceptNamesMeta(type(RowForm)):  # type: ignore[misc]  # Django's own metaclass of forms
    """Declares a field of names for each language that has any."""

    def __new__(mcs, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> type:
        named = {f"names_{language}": names_field(language) for language in NAMED_LANGUAGES}
        return cast("type", super().__new__(mcs, name, bases, {**named, **attrs}))


class ConceptForm(RowForm, metaclass=ConceptNamesMeta):
    """A concept with its names, a field for each language."""

    types = forms.MultipleChoiceField(
        choices=[(name, name) for name in CONCEPT_USES], widget=forms.CheckboxSelectMultiple,
        help_text="Where its names count.",
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for language in NAMED_LANGUAGES:
            if (name := f"names_{language}") in self.fields:
                self.fields[name].initial = ", ".join((self.instance.names or {}).get(language, []))

    def clean(self) -> dict[str, Any]:
        """The names of all languages as one value."""
        given = {language: self.cleaned_data.get(f"names_{language}", "").split(",") for language in NAMED_LANGUAGES}
        named = {language: [name.strip() for name in names if name.strip()] for language, names in given.items()}
        self.instance.names = {language: names for language, names in named.items() if names}
        return super().clean()


@admin.register(InstantPattern)
class InstantPatternAdmin(InstallationAdmin):
    """What is looked for in messages."""

    form = PatternForm
    list_display = ("name", "pack", "type", "language", "key_rule", "priority", "show_rollout", "show_state")
    list_filter = ("pack", "type", "language", "key_rule", "is_active")
    list_select_related = ("pack",)
    search_fields = ("name", "pattern", "key")
    search_help_text = "Search by name, expression or key"
    fieldsets = (
        (None, {"fields": ("pack", "name", "is_active", "show_try", "opened_revision")}),
        ("What it looks for", {"fields": ("language", "pattern", "anchors", "anti_anchors", "skips", "closed")}),
        ("What a hit means", {"fields": ("type", "key_rule", "key", "confidence", "priority")}),
        ("Rollout", {"fields": ("rollout_percent", "reason")}),
    )
    readonly_fields = ("show_try",)

    @admin.display(description="Rollout", ordering="rollout_percent")
    def show_rollout(self, row: InstantPattern) -> str:
        """The share of users."""
        return f"{row.rollout_percent} %"

    @admin.display(description="State", ordering="is_active")
    def show_state(self, row: InstantPattern) -> SafeString:
        """On or off, shipped or own."""
        return show_state(row)

    @admin.display(description="Try it")
    def show_try(self, row: InstantPattern) -> SafeString | str:
        """The way to the try-it box."""
        if not row.pk:
            return "–"
        url = f"{reverse('admin:try_patterns')}?pattern={row.pk}"
        return format_html('<a class="m-strong-link" href="{}">Try messages with this pattern</a>', url)


@admin.register(PatternGuard)
class PatternGuardAdmin(InstallationAdmin):
    """Reasons not to believe a hit."""

    form = GuardForm
    list_display = ("name", "pack", "where", "show_types", "show_state")
    list_filter = ("pack", "where", "is_active")
    list_select_related = ("pack",)
    search_fields = ("name", "pattern")
    fields = ("pack", "name", "is_active", "where", "pattern", "types", "reason", "opened_revision")

    @admin.display(description="Types")
    def show_types(self, row: PatternGuard) -> str:
        """In one line."""
        return ", ".join(row.types) or "all"

    @admin.display(description="State", ordering="is_active")
    def show_state(self, row: PatternGuard) -> SafeString:
        """On or off, shipped or own."""
        return show_state(row)


@admin.register(CorrectionPattern)
class CorrectionPatternAdmin(InstallationAdmin):
    """How people deny, doubt or confirm."""

    form = ExpressionForm
    list_display = ("name", "pack", "kind", "language", "show_state")
    list_filter = ("pack", "kind", "language", "is_active")
    list_select_related = ("pack",)
    search_fields = ("name", "pattern")
    fields = ("pack", "name", "is_active", "kind", "language", "pattern", "reason", "opened_revision")

    @admin.display(description="State", ordering="is_active")
    def show_state(self, row: CorrectionPattern) -> SafeString:
        """On or off, shipped or own."""
        return show_state(row)


@admin.register(ExtractionAnchor)
class ExtractionAnchorAdmin(InstallationAdmin):
    """Words without which nothing is taken from a model."""

    form = ExpressionForm
    list_display = ("name", "pack", "type", "language", "show_state")
    list_filter = ("pack", "type", "language", "is_active")
    list_select_related = ("pack",)
    search_fields = ("name", "pattern")
    fields = ("pack", "name", "is_active", "type", "language", "pattern", "reason", "opened_revision")

    @admin.display(description="State", ordering="is_active")
    def show_state(self, row: ExtractionAnchor) -> SafeString:
        """On or off, shipped or own."""
        return show_state(row)


@admin.register(PatternPack)
class PatternPackAdmin(InstallationAdmin):
    """Collections that are switched as one, and the macros that rows share."""

    form = PatternSetForm
    list_display = ("name", "version", "description", "show_state")
    search_fields = ("name", "description")
    fields = ("name", "version", "description", "is_active", "macros", "reason", "opened_revision")

    @admin.display(description="State", ordering="is_active")
    def show_state(self, row: PatternPack) -> SafeString:
        """On or off, shipped or own."""
        return show_state(row)


@admin.register(Concept)
class ConceptAdmin(InstallationAdmin):
    """Things by their names in all languages."""

    form = ConceptForm
    shown_to_readers = ("names",)
    list_display = ("key", "show_types", "show_names", "show_state")
    list_filter = ("is_active", "by_month")
    search_fields = ("key", "names")
    fields = (
        "key",
        "types",
        *(f"names_{language}" for language in NAMED_LANGUAGES),
        "by_month",
        "is_active",
        "reason",
        "opened_revision",
    )

    @admin.display(description="For")
    def show_types(self, row: Concept) -> str:
        """In one line."""
        return ", ".join(row.types)

    @admin.display(description="Names")
    def show_names(self, row: Concept) -> SafeString:
        """The first of each language."""
        return format_html('<span dir="auto">{}</span>', " · ".join(names[0] for names in row.names.values() if names))

    @admin.display(description="State", ordering="is_active")
    def show_state(self, row: Concept) -> SafeString:
        """On or off, shipped or own."""
        return show_state(row)


@admin.register(PackSwitchedOff)
class PackSwitchedOffAdmin(TenantFilteredAdmin):
    """Owners switch a pack off for their tenant, and on again by deleting the row."""

    write_role = Role.OWNER
    list_display = ("pack", "tenant", "created_at")
    list_filter = (("tenant", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("pack", "tenant")
    fields = ("tenant", "pack")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: there is nothing to change."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Owners of the tenant."""
        return super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: PackSwitchedOff, form: Any, change: bool) -> None:
        """Switched off by the action."""
        obj.pk = switch_pattern_set_off(tenant_id=obj.tenant_id, pack_id=obj.pack_id).pk

    def delete_model(self, request: HttpRequest, obj: PackSwitchedOff) -> None:
        """Switched on by the action."""
        switch_pattern_set_on(tenant_id=obj.tenant_id, pack_id=obj.pack_id)
