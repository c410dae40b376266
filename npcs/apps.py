from django.apps import AppConfig


class NpcsConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "npcs"
    label = "npcs"
    verbose_name = "NPCs"

    def ready(self) -> None:
        """Refusals of the database are told as errors of this app."""
        from memoryproject.constraints import register_constraint_errors
        from npcs.errors import CONSTRAINT_ERRORS

        register_constraint_errors(CONSTRAINT_ERRORS)
