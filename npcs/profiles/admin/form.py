"""The designer's form of a profile, and its way to and from the content that `parse_profile` checks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms

from npcs.errors import InvalidProfile
from npcs.models import NpcState
from npcs.profiles.core.profiles import StaticLayer
from npcs.profiles.core.relations import read_relation, write_relation

LIST_FIELDS = ("languages", "secrets", "lore_refs", "must_have", "banned")
_EXPECTED = {
    "npc_id": "use Latin letters, digits and . _ ~ @ -, beginning with a letter or a digit, as in li-shen",
    "names": "write a language, a colon and the name, as in ru: Ли-Шэнь",
    "languages": "write BCP 47 tags, as in en, ru or zh-Hant",
    "lore_refs": "write the slug of an article, as in moon-bridge",
    "name": "a name is one line that says something",
}


def _lines(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "dir": "auto"})


class ProfileForm(forms.Form):
    """Who an NPC is. Whether it is sound, the schema says; a list has one entry a line."""

    npc_id = forms.CharField(
        label="Id", help_text="As the game knows it; where canon has an article of the character, its slug."
    )
    name = forms.CharField(widget=forms.TextInput(attrs={"dir": "auto"}), help_text="In the world's first language.")
    names = forms.CharField(
        label="Names in other languages",
        required=False,
        widget=_lines(2),
        help_text="One a line, as in ru: Ли-Шэнь.",
    )
    archetype = forms.CharField(required=False, widget=forms.TextInput(attrs={"dir": "auto"}))
    voice_tts = forms.CharField(label="Voice", required=False, help_text="As the studio's own speech service names it.")
    languages = forms.CharField(label="Speaks", required=False, widget=_lines(2), help_text="BCP 47, one a line.")
    state = forms.ChoiceField(
        choices=NpcState.choices, help_text="A retired NPC leaves the lists; its profile and its moves stay readable."
    )
    persona = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 9, "dir": "auto", "spellcheck": "true"}),
        help_text="How it speaks and behaves, for the model that plays it. All who may read, read it: no secrets.",
    )
    secrets = forms.CharField(
        required=False, widget=_lines(4), help_text="One a line. Told to keys with the scope engine only."
    )
    lore_refs = forms.CharField(
        label="Articles of canon",
        required=False,
        widget=_lines(4),
        help_text="Slugs, one a line. New ones must be live.",
    )
    relations = forms.CharField(
        label="Tells other NPCs",
        required=False,
        widget=_lines(3),
        help_text="One NPC a line, as in oda-marr: old friend, all, strength 4, delay 1, from 2. It shares all, a "
        "rumour or none of the scenes that it knows, after so many more scenes, while it stands so towards the party.",
    )
    must_have = forms.CharField(
        label="Pictures must carry", required=False, widget=_lines(3), help_text="Visual tags, one a line."
    )
    banned = forms.CharField(
        label="Pictures must not carry", required=False, widget=_lines(3), help_text="Visual tags, one a line."
    )

    def clean_names(self) -> str:
        """The lines, each language once: a mapping could not show the other."""
        text: str = self.cleaned_data["names"]
        languages = [_read_name(line)[0] for line in _split(text)]
        twice = next((each for each in languages if languages.count(each) > 1), None)
        if twice is not None:
            raise forms.ValidationError(f"{twice} is given twice.")
        return text

    def show_profile_errors(self, error: InvalidProfile) -> None:
        """Puts each problem next to its field, an entry of a list by its line."""
        for each in error.extra.get("errors", []) or [{"path": "", "message": error.detail}]:
            field, place = _find_field(each["path"])
            text = each["message"]
            if "does not match" in text and field in _EXPECTED:
                text = f"{text.partition(' does not match')[0]}: {_EXPECTED[field]}"
            self.add_error(field, f"{place}{text}")


def initial_of(npc_id: str, state: str, static: StaticLayer) -> dict[str, str]:
    """The form's values for a profile."""
    return {
        "npc_id": npc_id,
        "state": state,
        "name": static.name,
        "names": "\n".join(f"{language}: {name}" for language, name in static.names.items()),
        "archetype": static.archetype,
        "voice_tts": static.voice_tts,
        "persona": static.persona,
        "relations": "\n".join(write_relation(each) for each in static.relations),
        **{name: "\n".join(getattr(static, name)) for name in LIST_FIELDS},
    }


def content_of(cleaned: Mapping[str, str]) -> dict[str, Any]:
    """The profile as the schema has it."""
    lists = {name: _split(cleaned[name]) for name in LIST_FIELDS}
    return {
        "npc_id": cleaned["npc_id"],
        "state": cleaned["state"],
        "static": {
            "name": cleaned["name"],
            "names": dict(_read_name(line) for line in _split(cleaned["names"])),
            "archetype": cleaned["archetype"],
            "voice_tts": cleaned["voice_tts"],
            "persona": cleaned["persona"].replace("\r\n", "\n"),
            "languages": lists["languages"],
            "secrets": lists["secrets"],
            "lore_refs": lists["lore_refs"],
            "visual": {"must_have": lists["must_have"], "banned": lists["banned"]},
            "relations": [read_relation(line) for line in _split(cleaned["relations"])],
        },
    }


def _find_field(path: str) -> tuple[str | None, str]:
    """The field that a JSON path leads to, and the line in it, in words."""
    parts = re.findall(r"[^.\[\]]+", path.removeprefix("static.").removeprefix("visual."))
    if not parts or parts[0] not in ProfileForm.base_fields:
        return None, f"{path}: " if path else ""
    if len(parts) > 1:
        return parts[0], f"line {int(parts[1]) + 1}: " if parts[1].isdecimal() else f"{parts[1]}: "
    return parts[0], ""


def _read_name(line: str) -> tuple[str, str]:
    language, _, name = line.partition(":")
    return language.strip(), name.strip()


def _split(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
