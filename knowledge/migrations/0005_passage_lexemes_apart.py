"""Moves the lexemes of long passages out of the row, so that two passages of 1,024 dimensions share a page.

Only the GIN index and the builder read lexemes; a search reads vectors and BM25 weights of thousands of rows, and reads
half as many pages. Rows written before keep their form until a re-index.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0004_user_facts")]

    operations = [
        migrations.RunSQL(
            sql="""
                ALTER TABLE knowledge_lorepassage
                    ALTER COLUMN bm25 SET STORAGE MAIN,
                    SET (toast_tuple_target = 3500);
            """,
            reverse_sql="""
                ALTER TABLE knowledge_lorepassage
                    ALTER COLUMN bm25 SET STORAGE EXTERNAL,
                    SET (toast_tuple_target = 8160);
            """,
        ),
    ]
