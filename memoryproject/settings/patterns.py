"""How far patterns may reach."""

from django.core.exceptions import ImproperlyConfigured

from memoryproject.environment import read_float

PATTERN_MAX_SHARE = read_float("PATTERN_MAX_SHARE", 0.02)
if PATTERN_MAX_SHARE > 1:
    raise ImproperlyConfigured("PATTERN_MAX_SHARE is a share from 0 to 1, for example 0.02.")
