"""Keeps vectors and BM25 weights inside the row: a scan that follows TOAST pointers is ten times slower."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("episodes", "0039_event_nodes")]

    operations = [
        migrations.RunSQL(
            sql="""
                ALTER TABLE episodes_eventpassage
                    ALTER COLUMN embedding SET STORAGE PLAIN,
                    ALTER COLUMN bm25 SET STORAGE EXTERNAL,
                    ALTER COLUMN lexemes SET STORAGE EXTERNAL,
                    SET (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.05);
            """,
            reverse_sql="""
                ALTER TABLE episodes_eventpassage
                    ALTER COLUMN embedding SET STORAGE EXTERNAL,
                    ALTER COLUMN bm25 SET STORAGE EXTENDED,
                    ALTER COLUMN lexemes SET STORAGE EXTENDED,
                    RESET (toast_tuple_target, autovacuum_vacuum_insert_scale_factor);
            """,
        ),
    ]
