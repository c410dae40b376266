from django.apps import AppConfig


class KnowledgeConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "knowledge"
    label = "knowledge"
    verbose_name = "Knowledge"
