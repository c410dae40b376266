"""Search and look-up."""

from __future__ import annotations

from dataclasses import replace

from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.api import shapes
from knowledge.api.parameters import DOMAIN, LANGUAGE, READER, SESSION_HEADER, TAGS, TYPE, resolve_reading
from knowledge.api.rendering import render_document, render_read_release, render_search, render_summary
from knowledge.canon.selectors.rules import find_rule
from knowledge.canon.selectors.search import MAX_K, MAX_QUERY_LENGTH, search_lore
from knowledge.errors import KOutOfRange
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import NumberParameter, Parameters, TextParameter, read_header
from memoryproject.rest.schemas import WORLD_CODES
from tenancy.api.views import MachineView

SEARCH_PARAMETERS = Parameters(
    (
        TextParameter(
            "q",
            "What to look for, in any language.",
            "why is the western bell silent",
            MAX_QUERY_LENGTH,
            is_required=True,
            is_prose=True,
        ),
        NumberParameter(
            "k", "How many hits at most; `config/knowledge.yaml` says the default.", 5, 1, MAX_K, error=KOutOfRange
        ),
        DOMAIN,
        *READER,
        TAGS,
        LANGUAGE,
        TYPE,
    )
)
RULE_PARAMETERS = Parameters(
    (
        TextParameter(
            "term", "The rule's name as people say it. This or `rule_id`.", "clasped", MAX_QUERY_LENGTH, is_prose=True
        ),
        TextParameter("rule_id", "The rule's stable number. This or `term`.", "COND-01", 64),
        replace(DOMAIN, description=f"{DOMAIN.description} `srd` unless it is given.", example="srd"),
        *READER,
        replace(LANGUAGE, description="Prefer the rule in this language; others still come without one."),
    )
)


class SearchView(MachineView):
    """`lore/search`."""

    @operation(
        "lore_search",
        "Canon",
        reply(shapes.Search, "Best first."),
        WORLD_CODES,
        shapes.CANON_CODES,
        shapes.QUERY_CODES,
        parameters=SEARCH_PARAMETERS,
        headers=(SESSION_HEADER,),
    )
    def get(self, request: Request) -> Response:
        """Search canon.

        The passages of a release that answer a query best, by exact BM25 and by vectors.
        """
        values = self.values
        session_id = read_header(request, SESSION_HEADER)
        reading = resolve_reading(self.get_world(), values, domain="lore", session_id=session_id)
        result = search_lore(
            reading.release,
            values["q"],
            k=values.get("k"),
            audience=reading.audience,
            tags=values.get("tags", ()),
            language=values.get("language"),
            type=values.get("type"),
        )
        return Response(render_search(result))


class RuleLookupView(MachineView):
    """`rules/lookup`."""

    @operation(
        "rules_lookup",
        "Canon",
        reply(shapes.RuleLookup, "The rule, and others that may have been meant."),
        WORLD_CODES,
        shapes.CANON_CODES,
        shapes.RULE_CODES,
        parameters=RULE_PARAMETERS,
        headers=(SESSION_HEADER,),
    )
    def get(self, request: Request) -> Response:
        """Look up a rule.

        By stable number, or by name: title and aliases first, by stems; what no name fits is searched.
        """
        values = self.values
        session_id = read_header(request, SESSION_HEADER)
        reading = resolve_reading(self.get_world(), values, domain="srd", session_id=session_id)
        found = find_rule(
            reading.release,
            term=values.get("term"),
            rule_id=values.get("rule_id"),
            audience=reading.audience,
            language=values.get("language"),
        )
        return Response(
            {
                "domain": reading.release.domain,
                "release": render_read_release(reading.release),
                "matched_by": found.matched_by,
                "rule": render_document(found.rule, reading.release),
                "candidates": [render_summary(document) for document in found.candidates],
                "degraded": list(found.degraded),
            }
        )
