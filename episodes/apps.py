from django.apps import AppConfig


class EpisodesConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "episodes"
    label = "episodes"
    verbose_name = "Episodes"
