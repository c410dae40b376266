from django.apps import AppConfig


class KnowledgeConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "knowledge"
    label = "knowledge"
    verbose_name = "Knowledge"

    def ready(self) -> None:
        """A mistake in the domains' settings stops the start. Raises ConfigError."""
        from knowledge.config import load_knowledge_settings

        load_knowledge_settings()
