from django.apps import AppConfig


class FactcheckConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "factcheck"
    label = "factcheck"
    verbose_name = "Fact checking"

    def ready(self) -> None:
        """Pattern metrics are there from the start; forgetting reaches what is kept here; pages mark quotes; what
        waits for its vector is read by its meaning.

        A mistake in the prompts of extraction stops the start. Raises ConfigError.
        """
        from episodes.conversations.actions.listeners import read_before_embedding
        from episodes.facts.selectors.quotes import register_quote_finder
        from episodes.forgetting.core.echoes import register_echo_finder
        from episodes.forgetting.core.replays import register_fact_replay
        from factcheck.alternatives.forgetting import ForgettingReplay
        from factcheck.claims.actions.forgetting import forget_all_claims, forget_in_claims, withdraw_claims
        from factcheck.extraction.actions.forgetting import (
            forget_all_extraction,
            forget_facts_in_extraction,
            forget_in_extraction,
        )
        from factcheck.extraction.actions.key_rotation import rotate_extraction_keys
        from factcheck.extraction.actions.withdrawals import withdraw_in_extraction
        from factcheck.extraction.metrics import ExtractionStates
        from factcheck.extraction.proposers.prompts import load_extraction_prompts
        from factcheck.instant import metrics  # noqa: F401
        from factcheck.instant.actions.echoes import is_echo
        from factcheck.instant.actions.late_readings import read_late
        from factcheck.instant.actions.quotes import find_quotes
        from factcheck.plots.actions.key_rotation import rotate_event_keys
        from factcheck.plots.proposers.prompts import load_plot_prompts
        from knowledge.facts.actions import register_rotation
        from memoryproject.forgetting.registry import (
            register_fact_store,
            register_gone_store,
            register_memory_store,
            register_withdrawal_store,
        )
        from memoryproject.metrics import STATE_COLLECTORS

        load_extraction_prompts()
        load_plot_prompts()
        STATE_COLLECTORS.append(ExtractionStates())
        read_before_embedding(read_late)
        register_echo_finder(is_echo)
        register_fact_replay(ForgettingReplay())
        register_quote_finder(find_quotes)
        register_memory_store("contradicted_claims", forget_in_claims)
        register_gone_store("contradicted_claims", forget_all_claims)
        register_rotation("extraction", rotate_extraction_keys)
        register_rotation("events", rotate_event_keys)
        register_memory_store("extraction", forget_in_extraction)
        register_gone_store("extraction", forget_all_extraction)
        register_withdrawal_store("extraction", withdraw_in_extraction)
        register_withdrawal_store("contradicted_claims", withdraw_claims)
        register_fact_store("extraction", forget_facts_in_extraction)
