"""The editors' admin site (django-unfold): its pages, its navigation and its looks."""

from collections.abc import Callable
from typing import Any

from django.templatetags.static import static
from django.urls import reverse_lazy

from memoryproject.settings.base import BASE_DIR

STATICFILES_DIRS = [BASE_DIR / "static"]
LOGIN_URL = reverse_lazy("admin:login")
LOGIN_REDIRECT_URL = reverse_lazy("admin:index")
ADMIN_PAGES = [
    "reviews.admin.urls",
    "reviews.labelling.admin.urls",
    "reviews.quality.admin.urls",
    "episodes.admin.urls",
    "factcheck.admin.urls",
    "factcheck.extraction.admin.urls",
    "episodes.events.admin.urls",
    "episodes.threads.admin.urls",
    "knowledge.notebook.admin.urls",
    "npcs.admin.urls",
    "runtime.admin.urls",
]
SIMPLE_HISTORY_REVERT_DISABLED = True
FORMAT_MODULE_PATH = ["memoryproject.formats"]

MAY_SEE_CANON = "tenancy.admin.access.may_see_canon"
MAY_LABEL = "tenancy.admin.access.may_label"
MAY_SEE_PLAYERS = "tenancy.admin.access.may_see_players"
MAY_MANAGE = "tenancy.admin.access.may_manage_some_tenant"
MAY_OPERATE = "tenancy.admin.access.is_operator"


def _static(path: str) -> Callable[[object], str]:
    """The address of a static file, made when a page asks: unfold calls it with the request."""

    def make(request: object) -> str:
        return static(path)

    return make


def _item(title: str, icon: str, url_name: str, *, permission: str = MAY_SEE_CANON, badge: str = "") -> dict[str, Any]:
    item: dict[str, Any] = {"title": title, "icon": icon, "link": reverse_lazy(url_name), "permission": permission}
    if badge:
        item["badge"] = badge
    return item


NAVIGATION: list[dict[str, Any]] = [
    {
        "title": "Today",
        "items": [
            _item("Home", "home", "admin:index", permission=""),
            _item("Playground", "travel_explore", "admin:playground"),
        ],
    },
    {
        "title": "Canon",
        "items": [
            _item("Documents", "auto_stories", "admin:knowledge_publication_changelist"),
            _item("Releases", "rocket_launch", "admin:boards"),
            _item("Graph", "hub", "admin:graph_home"),
            _item("Embeddings", "scatter_plot", "admin:knowledge_lorepassage_changelist"),
        ],
    },
    {
        "title": "Review",
        "items": [
            _item(
                "Change requests",
                "rate_review",
                "admin:reviews_changerequest_changelist",
                badge="reviews.admin.home.count_waiting_badge",
            ),
            _item("Lorebooks", "menu_book", "admin:lorebook_import"),
            _item("Search and replace", "find_replace", "admin:bulk_edit"),
            _item("Golden queries", "workspace_premium", "admin:reviews_goldenquery_changelist"),
            _item("Golden changes", "rule", "admin:reviews_goldenchange_changelist"),
            _item("Golden runs", "checklist", "admin:reviews_goldenrun_changelist"),
            _item("Label extractions", "fact_check", "admin:labelling_home", permission=MAY_LABEL),
            _item("Extraction quality", "monitoring", "admin:quality", permission=MAY_SEE_PLAYERS),
            _item("Contradicted claims", "report", "admin:factcheck_contradictedclaim_changelist"),
            _item("Audit log", "history", "admin:reviews_auditentry_changelist"),
        ],
    },
    {
        "title": "Players",
        "items": [
            _item("Players", "sports_esports", "admin:tenancy_enduser_changelist", permission=MAY_SEE_PLAYERS),
            _item("Conversations", "forum", "admin:episodes_conversation_changelist", permission=MAY_SEE_PLAYERS),
            _item("Messages", "chat", "admin:episodes_message_changelist", permission=MAY_SEE_PLAYERS),
            _item(
                "Orphaned messages",
                "sync_problem",
                "admin:episodes_messagepassage_changelist",
                permission=MAY_SEE_PLAYERS,
            ),
            _item(
                "Corrections", "edit_note", "admin:knowledge_memorycorrection_changelist", permission=MAY_SEE_PLAYERS
            ),
            _item(
                "Forget receipts", "receipt_long", "admin:episodes_forgetreceipt_changelist", permission=MAY_SEE_PLAYERS
            ),
        ],
    },
    {
        "title": "Play",
        "items": [
            _item("Campaigns", "theater_comedy", "admin:episodes_campaign_changelist"),
            _item("NPCs", "face", "admin:npcs_npc_changelist"),
            _item("Events", "auto_stories", "admin:episodes_eventnode_changelist", permission=MAY_SEE_PLAYERS),
            _item("Edits of events", "rule", "admin:episodes_eventproposal_changelist", permission=MAY_SEE_PLAYERS),
            _item("Notebooks", "edit_note", "admin:knowledge_notebook_changelist", permission=MAY_SEE_PLAYERS),
            _item("Store", "inventory", "admin:knowledge_storeitem_changelist", permission=MAY_SEE_PLAYERS),
            _item("Notebooks in chat", "toggle_on", "admin:knowledge_chatnotebooks_changelist", permission=MAY_MANAGE),
            _item("Threads", "account_tree", "admin:episodes_thread_changelist", permission=MAY_SEE_PLAYERS),
            _item("Interrupts", "front_hand", "admin:episodes_threadinterrupt_changelist", permission=MAY_SEE_PLAYERS),
            _item("Thread policies", "timer", "admin:episodes_worldthreadpolicy_changelist", permission=MAY_MANAGE),
            _item("Art cards", "palette", "admin:episodes_artcard_changelist"),
            _item("Prompts", "preview", "admin:prompts"),
            _item("Traces", "footprint", "admin:runtime_trace_changelist", permission=MAY_SEE_PLAYERS),
            _item("Session memory", "memory", "admin:session_memory", permission=MAY_SEE_PLAYERS),
        ],
    },
    {
        "title": "Extraction",
        "collapsible": True,
        "items": [
            _item("Runs", "manage_search", "admin:factcheck_extractionrun_changelist", permission=MAY_SEE_PLAYERS),
            _item(
                "Candidates", "pending_actions", "admin:factcheck_factcandidate_changelist", permission=MAY_SEE_PLAYERS
            ),
            _item("Prompt workbench", "compare_arrows", "admin:prompt_workbench", permission=MAY_MANAGE),
        ],
    },
    {
        "title": "Understanding",
        "collapsible": True,
        "items": [
            _item("Try patterns", "science", "admin:try_patterns"),
            _item("Patterns", "regular_expression", "admin:factcheck_instantpattern_changelist"),
            _item("Guards", "shield", "admin:factcheck_patternguard_changelist"),
            _item("Correction patterns", "undo", "admin:factcheck_correctionpattern_changelist"),
            _item("Extraction anchors", "anchor", "admin:factcheck_extractionanchor_changelist"),
            _item("Concepts", "translate", "admin:factcheck_concept_changelist"),
            _item("Packs", "inventory_2", "admin:factcheck_patternpack_changelist"),
            _item("Packs switched off", "toggle_off", "admin:factcheck_packswitchedoff_changelist"),
        ],
    },
    {
        "title": "Access",
        "collapsible": True,
        "items": [
            _item("Tenants", "apartment", "admin:tenancy_tenant_changelist"),
            _item("Worlds", "public", "admin:tenancy_world_changelist"),
            _item("Memberships", "badge", "admin:tenancy_membership_changelist"),
            _item("API keys", "key", "admin:tenancy_apikey_changelist", permission=MAY_MANAGE),
            _item("People", "group", "admin:auth_user_changelist", permission=MAY_OPERATE),
            _item("Failed logins", "lock", "admin:axes_accessattempt_changelist", permission=MAY_OPERATE),
        ],
    },
    {
        "title": "Operations",
        "collapsible": True,
        "items": [
            _item(
                "Periodic tasks",
                "schedule",
                "admin:django_celery_beat_periodictask_changelist",
                permission=MAY_OPERATE,
            ),
            _item("Intervals", "timer", "admin:django_celery_beat_intervalschedule_changelist", permission=MAY_OPERATE),
            _item(
                "Crontabs",
                "calendar_month",
                "admin:django_celery_beat_crontabschedule_changelist",
                permission=MAY_OPERATE,
            ),
        ],
    },
]
for _group in NAVIGATION:
    for _entry in _group["items"]:
        if not _entry["permission"]:
            del _entry["permission"]

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Memory37",
    "SITE_HEADER": "Memory37",
    "SITE_SUBHEADER": "Canon for AI game masters",
    "SITE_SYMBOL": "auto_stories",
    "SITE_URL": None,
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "DASHBOARD_CALLBACK": "reviews.admin.home.build_home",
    "STYLES": [_static("memory37/admin.css")],
    "SCRIPTS": [_static("memory37/admin.js")],
    "COLORS": {
        "primary": {
            "50": "oklch(97% .02 195)",
            "100": "oklch(94% .04 195)",
            "200": "oklch(89% .07 195)",
            "300": "oklch(82% .1 195)",
            "400": "oklch(74% .12 195)",
            "500": "oklch(62% .11 200)",
            "600": "oklch(50% .095 205)",
            "700": "oklch(43% .085 210)",
            "800": "oklch(37% .07 212)",
            "900": "oklch(31% .06 214)",
            "950": "oklch(23% .05 216)",
        },
    },
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _static("memory37/icon.svg")}],
    "COMMAND": {"search_callback": "reviews.admin.finder.find_pages", "show_history": False},
    "SIDEBAR": {"show_search": True, "command_search": True, "show_all_applications": False, "navigation": NAVIGATION},
}
