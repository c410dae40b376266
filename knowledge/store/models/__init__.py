"""Tables of the store."""

from knowledge.store.models.items import StoreItem, StoreSpace
from knowledge.store.models.passages import STORE_PARTITION_KIND, StorePassage

__all__ = ["STORE_PARTITION_KIND", "StoreItem", "StorePassage", "StoreSpace"]
