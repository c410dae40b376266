"""Names of archived events know their entities: recall goes from one to its neighbours."""

from django.db import migrations

LINK = """
UPDATE episodes_eventname n SET entity_id = found.entity_id
FROM (
    SELECT DISTINCT ON (e.id) e.id, g.entity_id
    FROM episodes_eventname e
    JOIN knowledge_graphname g ON g.tenant_id = e.tenant_id AND g.owner_kind = 'conversation'
        AND g.owner_id = e.conversation_id AND g.source_kind = 'event' AND g.ended_at IS NULL AND g.text = e.name
        AND g.source_id = (('x' || left(replace(e.node_id::text, '-', ''), 16))::bit(64) >> 1)::bigint
    WHERE e.type <> ''
    ORDER BY e.id, g.id
) found
WHERE found.id = n.id
"""


class Migration(migrations.Migration):
    dependencies = [("episodes", "0045_message_told_late"), ("knowledge", "0017_graph")]

    operations = [migrations.RunSQL(LINK, migrations.RunSQL.noop)]
