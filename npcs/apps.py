from django.apps import AppConfig


class NpcsConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "npcs"
    label = "npcs"
    verbose_name = "NPCs"
