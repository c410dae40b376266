"""How far patterns may reach."""

from django.core.exceptions import ImproperlyConfigured

from memoryproject.environment import read_choice, read_float

PATTERN_MAX_SHARE = read_float("PATTERN_MAX_SHARE", 0.02)
if PATTERN_MAX_SHARE > 1:
    raise ImproperlyConfigured("PATTERN_MAX_SHARE is a share from 0 to 1, for example 0.02.")
INSTANT_SEMANTIC = read_choice("INSTANT_SEMANTIC", "inline", ("inline", "after", "off"))
"""Whether facts are heard by the meaning of a message, too, and not by patterns alone; about 50 ms of a message that
names a thing, a size, a sum or an event. `inline`: before the message is stored; `after`: in the worker, before it gets
its vector.
"""
