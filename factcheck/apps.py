from django.apps import AppConfig


class FactcheckConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "factcheck"
    label = "factcheck"
    verbose_name = "Fact checking"

    def ready(self) -> None:
        """The metrics of patterns are there from the start."""
        from factcheck import metrics  # noqa: F401
