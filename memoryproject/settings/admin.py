"""The editors' admin site (django-unfold)."""

UNFOLD = {
    "SITE_TITLE": "Memory37",
    "SITE_HEADER": "Memory37",
    "SITE_SYMBOL": "auto_stories",
    "SHOW_HISTORY": True,
    "SHOW_VIEW_ON_SITE": False,
}
SIMPLE_HISTORY_REVERT_DISABLED = True
