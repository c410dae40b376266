"""Tables of labelling: labels, leases, skips, gold items and golden cases."""

from reviews.labelling.models.gold import GoldItem
from reviews.labelling.models.golden_cases import GoldenCase
from reviews.labelling.models.labels import SampleLabel
from reviews.labelling.models.leases import SampleLease, SampleSkip

__all__ = ["GoldItem", "GoldenCase", "SampleLabel", "SampleLease", "SampleSkip"]
