from django.apps import AppConfig


class KnowledgeConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "knowledge"
    label = "knowledge"
    verbose_name = "Knowledge"

    def ready(self) -> None:
        """A mistake in the domains' settings stops the start; the graph is built with releases. Raises ConfigError."""
        from knowledge.canon.actions.release_rows import register_release_rows
        from knowledge.config import load_knowledge_settings
        from knowledge.graph.actions.canon_rows import GRAPH_ROWS
        from knowledge.graph.errors import CONSTRAINT_ERRORS
        from memoryproject.constraints import register_constraint_errors

        load_knowledge_settings()
        register_release_rows(GRAPH_ROWS)
        register_constraint_errors(CONSTRAINT_ERRORS)
