from django.apps import AppConfig


class RuntimeConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "runtime"
    label = "runtime"
    verbose_name = "Runtime"

    def ready(self) -> None:
        """Canon's states are told at /metrics."""
        from memoryproject.metrics import STATE_COLLECTORS
        from runtime.metrics import CanonStates

        STATE_COLLECTORS.append(CanonStates())
