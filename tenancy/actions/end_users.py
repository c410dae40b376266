"""End users: the players whose facts and conversations are kept."""

from __future__ import annotations

from tenancy.errors import InvalidTenancy
from tenancy.models import EndUser

EXTERNAL_ID_LENGTH_MOST = 200


def ensure_end_user(*, tenant_id: int, external_id: str) -> EndUser:
    """The tenant's end user of that id, created if there is none; two at once get the same. Raises InvalidTenancy."""
    if not external_id.strip() or len(external_id) > EXTERNAL_ID_LENGTH_MOST or not external_id.isprintable():
        raise InvalidTenancy(
            f"A user's id must be 1 to {EXTERNAL_ID_LENGTH_MOST} printable characters.", code="user_id_invalid"
        )
    found = EndUser.objects.filter(tenant_id=tenant_id, external_id=external_id).first()
    if found is not None:
        return found
    EndUser.objects.bulk_create([EndUser(tenant_id=tenant_id, external_id=external_id)], ignore_conflicts=True)
    return EndUser.objects.get(tenant_id=tenant_id, external_id=external_id)
