"""The sample world as the tests see it: front matter, bodies, mentions."""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
WORLD = REPOSITORY / "samples" / "selmar"
GOLDEN = REPOSITORY / "qa" / "memory_retrieval_golden"
DOMAINS = ("srd", "lore")
LANGUAGES = ("en", "ru", "ar", "zh")
MENTION = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")


@dataclass(frozen=True)
class Article:
    """One file of the sample: where it lies, its front matter and its body."""

    path: Path
    domain: str
    folder_language: str
    front: dict[str, Any]
    body: str

    @property
    def slug(self) -> str:
        return self.front["slug"]

    @property
    def is_secret(self) -> bool:
        return self.front.get("audience", "public") != "public"

    def as_document(self) -> dict[str, Any]:
        """The JSON form that the schema describes."""
        return {**self.front, "body": self.body}

    def links(self) -> set[str]:
        """Slugs that body, fields and relations point at."""
        text = self.body + json.dumps(self.front.get("fields", {}), ensure_ascii=False)
        mentioned = {match.group(1).strip() for match in MENTION.finditer(text)}
        return mentioned | {relation["to"] for relation in self.front.get("relations", [])}


def read_article(path: Path, domain: str) -> Article:
    text = path.read_text(encoding="utf-8")
    opening, front, body = text.split("---\n", 2)
    assert opening == "", f"{path.name} does not start with front matter"
    return Article(path, domain, path.parent.name, yaml.load(front, Loader=yaml.CSafeLoader), body.strip())


@cache
def read_articles() -> tuple[Article, ...]:
    return tuple(read_article(path, domain) for domain in DOMAINS for path in sorted((WORLD / domain).glob("*/*.md")))


@cache
def read_golden(domain: str) -> list[dict[str, Any]]:
    return json.loads((GOLDEN / f"selmar.{domain}.json").read_text(encoding="utf-8"))


@cache
def read_claims() -> list[dict[str, Any]]:
    lines = (WORLD / "assertions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def read_schema(name: str) -> dict[str, Any]:
    return json.loads((REPOSITORY / "schemas" / name).read_text(encoding="utf-8"))
