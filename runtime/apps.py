from django.apps import AppConfig


class RuntimeConfig(AppConfig):
    """Registers the app with Django."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "runtime"
    label = "runtime"
    verbose_name = "Runtime"

    def ready(self) -> None:
        """Canon's states are told at /metrics; session memory hears what is said and what is forgotten.

        A mistake in budgets or prompts stops the start. Raises ConfigError.
        """
        from episodes.conversations.actions.listeners import listen_to_messages
        from memoryproject.forgetting.registry import (
            register_fact_store,
            register_gone_store,
            register_memory_store,
            register_name_store,
            register_withdrawal_store,
        )
        from memoryproject.heartbeats import AliveProcesses
        from memoryproject.metrics import STATE_COLLECTORS
        from runtime.config import (
            load_budgets,
            load_check_prompts,
            load_condense_prompts,
            load_prompts,
            load_reply_templates,
        )
        from runtime.lorebooks.timed_states import (
            forget_all_timed_states,
            forget_timed_states,
            withdraw_timed_states,
        )
        from runtime.metrics import BacklogStates, CanonStates, NotebookStates
        from runtime.notebook.erasure import erase_notebooks, erase_notebooks_of, forget_in_notebooks
        from runtime.notebook.templates import load_notebook_templates
        from runtime.session_memory.actions import forget_in_sessions, remember_messages, withdraw_in_sessions
        from runtime.session_memory.inference import infer_preferences
        from runtime.store.erasure import erase_in_store, erase_name_in_store, forget_in_store
        from runtime.traces.actions.traces import (
            blank_own_traces,
            count_resting_traces,
            erase_in_traces,
            forget_facts_in_traces,
            forget_in_traces,
        )

        load_budgets()
        load_prompts()
        load_reply_templates()
        load_check_prompts()
        load_condense_prompts("snippet")
        load_condense_prompts("summary")
        load_notebook_templates()

        STATE_COLLECTORS.extend([CanonStates(), BacklogStates(), NotebookStates(), AliveProcesses()])
        listen_to_messages(remember_messages)
        listen_to_messages(infer_preferences)
        register_memory_store("session_memory", forget_in_sessions)
        register_memory_store("traces", forget_in_traces)
        register_withdrawal_store("session_memory", withdraw_in_sessions)
        register_withdrawal_store("traces", count_resting_traces)
        register_memory_store("lorebook_states", forget_timed_states)
        register_gone_store("lorebook_states", forget_all_timed_states)
        register_withdrawal_store("lorebook_states", withdraw_timed_states)
        register_fact_store("traces", forget_facts_in_traces)
        register_gone_store("traces", blank_own_traces)
        register_name_store("traces", erase_in_traces)
        register_memory_store("notebooks", forget_in_notebooks)
        register_gone_store("notebooks", erase_notebooks)
        register_name_store("notebooks", erase_notebooks_of)
        register_memory_store("store", forget_in_store)
        register_gone_store("store", erase_in_store)
        register_name_store("store", erase_name_in_store)
