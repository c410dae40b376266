from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "reviews"
    label = "reviews"
    verbose_name = "Reviews"

    def ready(self) -> None:
        """Forgetting empties the queue of labellers; Prometheus hears of what they say; decisions below are logged."""
        from memoryproject.constraints import register_constraint_errors
        from memoryproject.forgetting.registry import register_fact_store, register_gone_store, register_memory_store
        from memoryproject.metrics import STATE_COLLECTORS
        from reviews.audit.actions import write_record
        from reviews.errors import CONSTRAINT_ERRORS
        from reviews.labelling.actions.forgetting import (
            forget_all_in_labelling,
            forget_facts_in_labelling,
            forget_in_labelling,
        )
        from reviews.quality.metrics import ReviewStates
        from tenancy.core.audit_log import register_audit_writer

        register_memory_store("labelling", forget_in_labelling)
        register_gone_store("labelling", forget_all_in_labelling)
        register_fact_store("labelling", forget_facts_in_labelling)
        STATE_COLLECTORS.append(ReviewStates())
        register_audit_writer(write_record)
        register_constraint_errors(CONSTRAINT_ERRORS)
