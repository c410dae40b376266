"""The editor's form of an article, and its way to and from the content that `parse_article` checks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from knowledge.errors import InvalidArticle
from knowledge.text.languages import SEARCH_LANGUAGES

TYPES = ("rule", "character", "place", "faction", "item", "event", "term", "custom", "article")
LANGUAGES = tuple(dict.fromkeys([*SEARCH_LANGUAGES, "de", "es", "fr", "ja", "ko", "uk"]))
"""Offered to editors: those whose words search knows, and a few that many worlds are written in."""
FORMS_EXPECTED = {
    "slug": "use lowercase Latin letters, digits and single hyphens, as in moon-bridge",
    "type": "use lowercase Latin letters and underscores, as in place or guild_rule",
    "language": "write a BCP 47 tag, as in en, ru or zh-Hant",
    "tags": "a tag has no spaces, commas or brackets",
    "rule_id": "use capital letters, digits and hyphens, as in COND-01",
    "fields": "names are lowercase snake_case, as in height_metres",
    "field_labels": "names are lowercase snake_case, as in height_metres",
    "relations": "a kind is lowercase with underscores, as in located_in; the other article goes by its slug",
}
ROW_GROUPS = {"fields": "fields", "field_labels": "fields", "relations": "relations"}


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One structured fact as it stands in the form."""

    name: str = ""
    value: str = ""
    labels: str = ""


@dataclass(frozen=True, slots=True)
class RelationRow:
    """One typed link as it stands in the form."""

    type: str = ""
    to: str = ""


class ArticleForm(forms.Form):
    """What an article says. Structured fields and relations are rows beside it."""

    title = forms.CharField(max_length=200, widget=forms.TextInput(attrs={"dir": "auto"}))
    slug = forms.CharField(
        max_length=120, help_text="Lowercase Latin letters, digits and hyphens. Others link to it by [[slug]]."
    )
    type = forms.CharField(max_length=40, widget=forms.TextInput(attrs={"list": "article-types"}))
    language = forms.CharField(
        max_length=35, widget=forms.TextInput(attrs={"list": "article-languages"}), help_text="BCP 47."
    )
    body = forms.CharField(
        strip=False, widget=forms.Textarea(attrs={"dir": "auto", "data-preview-source": "", "spellcheck": "true"})
    )
    tags = forms.CharField(
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto"}),
        help_text="Separated by commas, no spaces inside a tag.",
    )
    aliases = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text="Other names of the subject, one a line. They are searched.",
    )
    is_secret = forms.ChoiceField(
        label="Who may know it",
        choices=[("", "Everyone (public)"), ("secret", "Only these NPCs and factions")],
        required=False,
        widget=forms.RadioSelect,
    )
    audience = forms.CharField(
        required=False,
        label="NPCs and factions",
        help_text="For example npc:li-shen, faction:moon-court. Used when it is secret.",
    )
    rule_id = forms.CharField(
        max_length=40, required=False, label="Rule id", help_text="Rules only, for example COND-01."
    )
    source = forms.CharField(max_length=500, required=False, widget=forms.TextInput(attrs={"dir": "auto"}))

    def show_article_errors(self, error: InvalidArticle) -> dict[str, list[str]]:
        """Puts each problem next to its field; returns those of the row groups, by group."""
        rows: dict[str, list[str]] = {}
        for each in error.extra.get("errors", []):
            path, message = each["path"], each["message"]
            root = re.split(r"[.\[]", path, maxsplit=1)[0]
            if "does not match" in message and root in FORMS_EXPECTED:
                message = f"{message.partition(' does not match')[0]}: {FORMS_EXPECTED[root]}"
            elif root == "audience":
                message = "write npc:SLUG or faction:SLUG, at least one"
            text = message if path == root and root else f"{path}: {message}"
            if root in ROW_GROUPS:
                rows.setdefault(ROW_GROUPS[root], []).append(text)
            elif root in self.fields:
                self.add_error(root, text)
            else:
                self.add_error(None, text)
        if not error.extra.get("errors"):
            self.add_error(None, error.detail)
        return rows


def initial_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """The form's values for an article."""
    audience = content.get("audience", "public")
    return {
        **{
            name: content.get(name) or "" for name in ("title", "slug", "type", "language", "body", "rule_id", "source")
        },
        "tags": ", ".join(content.get("tags", ())),
        "aliases": "\n".join(content.get("aliases", ())),
        "is_secret": "" if audience == "public" else "secret",
        "audience": "" if audience == "public" else ", ".join(audience),
    }


def field_rows_of(content: Mapping[str, Any]) -> list[FieldRow]:
    """The form's rows for an article's structured fields."""
    labels = content.get("field_labels", {})
    names = dict.fromkeys([*content.get("fields", {}), *labels])
    return [
        FieldRow(
            name,
            write_value(content["fields"][name]) if name in content.get("fields", {}) else "",
            ", ".join(labels.get(name, ())),
        )
        for name in names
    ]


def relation_rows_of(content: Mapping[str, Any]) -> list[RelationRow]:
    """The form's rows for an article's relations."""
    return [RelationRow(each["type"], each["to"]) for each in content.get("relations", ())]


def read_field_rows(data: QueryDict) -> list[FieldRow]:
    """The rows as sent, without empty ones."""
    rows = zip(data.getlist("field_name"), data.getlist("field_value"), data.getlist("field_labels"), strict=False)
    return [FieldRow(*(each.strip() for each in row)) for row in rows if any(each.strip() for each in row)]


def read_relation_rows(data: QueryDict) -> list[RelationRow]:
    """The rows as sent, without empty ones."""
    rows = zip(data.getlist("relation_type"), data.getlist("relation_to"), strict=False)
    return [RelationRow(*(each.strip() for each in row)) for row in rows if any(each.strip() for each in row)]


def content_of(
    cleaned: Mapping[str, Any], fields: Sequence[FieldRow], relations: Sequence[RelationRow]
) -> dict[str, Any]:
    """The article as the schema has it; whether it is sound, `parse_article` says."""
    content: dict[str, Any] = {name: cleaned[name].strip() for name in ("slug", "title", "type", "language")}
    content["body"] = cleaned["body"]
    content["tags"] = _split(cleaned["tags"])
    content["aliases"] = [line.strip() for line in cleaned["aliases"].splitlines() if line.strip()]
    content["rule_id"] = cleaned["rule_id"].strip() or None
    content["audience"] = _split(cleaned["audience"]) if cleaned["is_secret"] else "public"
    content["fields"] = {row.name: read_value(row.value) for row in fields if row.value}
    content["field_labels"] = {row.name: _split(row.labels) for row in fields if row.labels}
    content["relations"] = [{"type": row.type, "to": row.to} for row in relations]
    if cleaned["source"].strip():
        content["source"] = cleaned["source"].strip()
    return content


def find_row_problems(fields: Sequence[FieldRow]) -> list[str]:
    """What a mapping could not show: a name given twice."""
    names = [row.name for row in fields]
    return [f"fields.{name}: given twice" for name in dict.fromkeys(names) if names.count(name) > 1]


def read_value(text: str) -> Any:
    """The value that a text stands for: a number, truth, list or quoted text as in JSON, else the text itself."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if value is None or isinstance(value, dict) else value


def write_value(value: Any) -> str:
    """The text by which `read_value` gets the value back."""
    if isinstance(value, str) and read_value(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False)


def _split(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"[,،，、;\n]", text) if part.strip()]
