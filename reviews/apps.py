from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "reviews"
    label = "reviews"
    verbose_name = "Reviews"

    def ready(self) -> None:
        """Forgetting empties the queue of labellers; Prometheus hears of what they say."""
        from episodes.core.stores import register_gone_store, register_memory_store
        from memoryproject.metrics import STATE_COLLECTORS
        from reviews.labelling.actions.forgetting import forget_all_in_labelling, forget_in_labelling
        from reviews.quality.metrics import ReviewStates

        register_memory_store("labelling", forget_in_labelling)
        register_gone_store("labelling", forget_all_in_labelling)
        STATE_COLLECTORS.append(ReviewStates())
