"""The sample world's own claims: none may be judged wrongly, and nearly all that canon decides are decided."""

from factcheck.claims.actions.claims import assert_claim
from factcheck.models import ContradictedClaim
from tests.samples.articles import DOMAINS, read_articles, read_claims

MIN_DECIDED = 0.8


def test_no_sample_claim_is_judged_wrongly_and_four_of_five_are_decided(selmar):
    domain_of = {article.slug: article.domain for article in read_articles()}
    wrong, elsewhere, decided, decidable = [], [], 0, 0
    for claim in read_claims():
        for domain in [domain_of[claim["source"]]] if claim["source"] else DOMAINS:
            result = assert_claim(tenant_id=selmar.tenant_id, world_id=selmar.pk, claim=claim["claim"], domain=domain)
            if claim["source"]:
                decidable += 1
                decided += result.verdict == claim["expect"]
            if result.verdict != "unknown" and result.sources[0].slug != claim["source"]:
                elsewhere.append((claim, result.sources[0].slug))
            if result.verdict not in ("unknown", claim["expect"]):
                wrong.append((claim, result.verdict, result.explanation))
    assert wrong == []
    assert elsewhere == []
    assert decided >= MIN_DECIDED * decidable
    assert ContradictedClaim.objects.count() > 0
