"""Snippets and summaries rest on current messages alone; a summary of a branch may rest on its trunks."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("episodes", "0037_alternative_indexes"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="messagesnippet",
            name="snippet_of_living_message",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="talksummary",
            name="talk_summary_of_living_messages",
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="messagesnippet",
            trigger=pgtrigger.compiler.Trigger(
                name="snippet_of_living_message",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE told episodes_message; talk episodes_conversation;",
                    func="\n                    SELECT c.* INTO talk FROM episodes_conversation c\n                        WHERE c.id = (SELECT m.conversation_id FROM episodes_message m WHERE m.id = NEW.message_id)\n                        FOR SHARE;\n                    SELECT m.* INTO told FROM episodes_message m WHERE m.id = NEW.message_id FOR SHARE;\n                    IF told.id IS NULL OR told.tenant_id <> NEW.tenant_id THEN\n                        RAISE EXCEPTION 'snippet_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF told.forgotten_at IS NOT NULL OR NOT told.is_current OR told.seq <= talk.gone_to THEN\n                        RAISE EXCEPTION 'snippet_of_living_message' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF length(told.content) <= 200 OR told.role = 'system' OR told.memory_type IN ('fact', 'event') THEN\n                        RAISE EXCEPTION 'snippet_of_long_message' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="332c8fffb5895c11f37e34851556294a00a3bfc2",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_snippet_of_living_message_7a6b3",
                    table="episodes_messagesnippet",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="talksummary",
            trigger=pgtrigger.compiler.Trigger(
                name="talk_summary_of_living_messages",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE talk episodes_conversation;",
                    func="\n                    SELECT c.* INTO talk FROM episodes_conversation c WHERE c.id = NEW.conversation_id FOR SHARE;\n                    IF talk.tenant_id <> NEW.tenant_id OR talk.end_user_id <> NEW.end_user_id THEN\n                        RAISE EXCEPTION 'talk_summary_same_user' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF talk.trunk_id IS NOT NULL THEN\n                        PERFORM 1 FROM episodes_conversation c\n                        WHERE c.id IN (\n                            SELECT a.ancestor_id FROM episodes_conversationancestor a WHERE a.conversation_id = talk.id\n                        )\n                        ORDER BY c.id FOR SHARE;\n                    END IF;\n                    IF EXISTS (\n                        SELECT 1 FROM unnest(NEW.evidence) AS proof (id)\n                        LEFT JOIN episodes_message m ON m.id = proof.id\n                            AND m.forgotten_at IS NULL AND m.is_current AND m.seq > talk.gone_to\n                            AND (m.conversation_id = NEW.conversation_id OR EXISTS (\n                                SELECT 1 FROM episodes_conversationancestor a\n                                WHERE a.conversation_id = NEW.conversation_id AND a.ancestor_id = m.conversation_id\n                                    AND m.seq <= a.through_seq\n                            ))\n                        WHERE m.id IS NULL\n                    ) THEN\n                        RAISE EXCEPTION 'talk_summary_of_living_messages' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="b23954bd051893d15d66cfe398f10eeac21ff06b",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_talk_summary_of_living_messages_88884",
                    table="episodes_talksummary",
                    when="BEFORE",
                ),
            ),
        ),
    ]
