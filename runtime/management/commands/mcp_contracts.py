"""`manage.py mcp_contracts`: the contracts of the MCP tools, one file each."""

from __future__ import annotations

from typing import Any

import yaml
from django.conf import settings
from django.core.management.base import BaseCommand

from runtime.mcp.contracts import TOOL_NAMES, build_contract


class Command(BaseCommand):
    """Writes `mcp/tools/*.yaml` from what the tools declare and answer."""

    help = "Write mcp/tools/*.yaml, the contracts of the MCP tools."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the files."""
        folder = settings.BASE_DIR / "mcp" / "tools"
        for name in TOOL_NAMES:
            text = yaml.safe_dump(build_contract(name), sort_keys=False, allow_unicode=True, width=120)
            (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        self.stdout.write(f"Wrote {len(TOOL_NAMES)} contracts into {folder.relative_to(settings.BASE_DIR)}.")
