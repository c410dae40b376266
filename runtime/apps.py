from django.apps import AppConfig


class RuntimeConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "runtime"
    label = "runtime"
    verbose_name = "Runtime"

    def ready(self) -> None:
        """Canon's states are told at /metrics; a mistake in budgets or prompts stops the start. Raises ConfigError."""
        from memoryproject.metrics import STATE_COLLECTORS
        from runtime.config import load_budgets, load_prompts
        from runtime.metrics import CanonStates

        load_budgets()
        load_prompts()

        STATE_COLLECTORS.append(CanonStates())
