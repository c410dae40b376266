from django.apps import AppConfig


class EpisodesConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "episodes"
    label = "episodes"
    verbose_name = "Episodes"

    def ready(self) -> None:
        """Open receipts and waiting messages are told at /metrics, and caches hear of what is forgotten."""
        from episodes.campaigns.selectors.graph_owners import find_campaign_owner, find_conversation_owner
        from episodes.events.actions.staleness import withdraw_deselected
        from episodes.events.errors import CONSTRAINT_ERRORS
        from episodes.forgetting.caches import forget_cached_queries, forget_failed_queries
        from episodes.metrics import EnrichmentStates, EventStates, ForgettingStates
        from knowledge.graph.core.owners import register_owner_finder
        from memoryproject.constraints import register_constraint_errors
        from memoryproject.forgetting.registry import register_memory_store, register_withdrawal_store
        from memoryproject.metrics import STATE_COLLECTORS

        STATE_COLLECTORS.extend([ForgettingStates(), EnrichmentStates(), EventStates()])
        register_memory_store("query_vectors", forget_cached_queries)
        register_memory_store("queries_without_hits", forget_failed_queries)
        register_withdrawal_store("events", withdraw_deselected)
        register_owner_finder("conversation", find_conversation_owner)
        register_owner_finder("campaign", find_campaign_owner)
        register_constraint_errors(CONSTRAINT_ERRORS)
        self.register_threads()
        self.register_rollback_steps()

    def register_threads(self) -> None:
        """Threads go with what is forgotten and with who is erased; what is sealed in them moves to new keys."""
        from episodes.threads.actions.key_rotation import rotate_thread_keys
        from episodes.threads.erasure import erase_threads, erase_threads_of, forget_in_threads
        from knowledge.facts.actions import register_rotation
        from memoryproject.forgetting.registry import register_gone_store, register_memory_store, register_name_store

        register_memory_store("threads", forget_in_threads)
        register_gone_store("threads", erase_threads)
        register_name_store("threads", erase_threads_of)
        register_rotation("threads", rotate_thread_keys)

    def register_rollback_steps(self) -> None:
        """What of play a rollback undoes, in the order in which rows are locked."""
        from episodes.rollback.actions import steps
        from episodes.rollback.core import register_rollback_step

        register_rollback_step("members", steps.shift_members)
        register_rollback_step("summaries", steps.shift_summaries)
        register_rollback_step("events", steps.shift_events)
        register_rollback_step("flags", steps.shift_flags)
        register_rollback_step("hearsay", steps.shift_hearsay)
        register_rollback_step("art_cards", steps.shift_art_cards)
        register_rollback_step("dispositions", steps.shift_dispositions)
