"""What was asked of the sample's canon: queries that found nothing, a claim that canon denies, a narrator's turn."""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings

from factcheck.claims.actions.claims import assert_claim
from factcheck.models import ContradictedClaim
from knowledge.canon.selectors.releases import resolve_release
from knowledge.canon.selectors.search import search_lore
from knowledge.search.zero_hits import list_zero_hits
from runtime.context.request import ContextRequest
from runtime.models import Trace
from runtime.traces.actions.packs import make_context
from tenancy.models import World

CLAIM = "The Moon Bridge is 300 metres long."
NARRATED = "Who keeps the Moon Bridge, and what does he look like?"


def load_questions(world: World, source: Path) -> None:
    """Each kind has been asked once."""
    ask_in_vain(world, source)
    if not ContradictedClaim.objects.filter(domain_index__world=world, claim=CLAIM).exists():
        assert_claim(tenant_id=world.tenant_id, world_id=world.pk, claim=CLAIM)
    if not Trace.objects.filter(tenant_id=world.tenant_id, kind="pack").exists():
        make_context(
            ContextRequest(
                tenant_id=world.tenant_id,
                world_id=world.pk,
                message=NARRATED,
                user_id="player-1",
                party_id="lamp-party",
                location_id="moon-bridge",
                language="en",
            )
        )


def ask_in_vain(world: World, source: Path) -> None:
    """Queries that canon does not answer stand on the editors' list, as often as players asked them."""
    release = resolve_release(world_id=world.pk, domain="lore")
    if list_zero_hits(release.domain_index_id, limit=1):
        return
    for each in json.loads((Path(settings.BASE_DIR) / source).read_text(encoding="utf-8")):
        for _ in range(each["times"]):
            search_lore(release, each["query"])
