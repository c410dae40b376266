from __future__ import annotations

from collections.abc import Sequence

from django.apps import apps
from django.db.models import Field

APP_ORDER = ["tenancy", "knowledge", "npcs", "episodes", "factcheck", "reviews", "runtime", "devtools"]


def find_upward_keys(order: Sequence[str]) -> list[str]:
    """Relations of our tables that point at an app which comes later in ``order``, many-to-many tables included."""
    rank = {label: place for place, label in enumerate(order)}
    upward = []
    for model in apps.get_models(include_auto_created=True):
        label = model._meta.app_label
        for field in model._meta.get_fields():
            if not (isinstance(field, Field) and field.remote_field and label in rank):
                continue
            target = field.remote_field.model._meta.app_label
            if rank.get(target, -1) > rank[label]:
                upward.append(f"{model._meta.label}.{field.name} -> {target}")
    return upward


def test_no_foreign_key_points_up_the_order_of_apps():
    assert find_upward_keys(APP_ORDER) == []


def test_the_walk_sees_foreign_keys():
    upward = find_upward_keys(APP_ORDER[::-1])
    assert any(line.startswith("knowledge.") and line.endswith("-> tenancy") for line in upward)


def test_every_app_of_ours_is_in_the_order():
    ours = {config.label for config in apps.get_app_configs() if "site-packages" not in config.path}
    assert ours == set(APP_ORDER)
