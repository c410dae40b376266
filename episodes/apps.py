from django.apps import AppConfig


class EpisodesConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "episodes"
    label = "episodes"
    verbose_name = "Episodes"

    def ready(self) -> None:
        """Open receipts and waiting messages are told at /metrics, and caches hear of what is forgotten."""
        from episodes.caches import forget_cached_queries, forget_failed_queries
        from episodes.core.stores import register_memory_store
        from episodes.metrics import EnrichmentStates, ForgettingStates
        from memoryproject.metrics import STATE_COLLECTORS

        STATE_COLLECTORS.extend([ForgettingStates(), EnrichmentStates()])
        register_memory_store("query_vectors", forget_cached_queries)
        register_memory_store("queries_without_hits", forget_failed_queries)
