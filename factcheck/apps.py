from django.apps import AppConfig


class FactcheckConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "factcheck"
    label = "factcheck"
    verbose_name = "Fact checking"

    def ready(self) -> None:
        """The metrics of patterns are there from the start, and forgetting is told of echoes and clears claims."""
        from episodes.core.echoes import register_echo_finder
        from episodes.core.stores import register_memory_store
        from factcheck import metrics  # noqa: F401
        from factcheck.actions.echoes import is_echo
        from factcheck.actions.forgetting import forget_in_claims

        register_echo_finder(is_echo)
        register_memory_store("contradicted_claims", forget_in_claims)
