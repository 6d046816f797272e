"""The tables of the first campaigns."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Events, passages, batches."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "events",
        sa.Column("seq", number, primary_key=True, autoincrement=True),
        sa.Column("key", sa.Text, nullable=False, unique=True),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("item", sa.Text),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("client_time", sa.Float),
        sa.Column("server_time", sa.Float, nullable=False),
        sqlite_autoincrement=True,
    )
    for name in ("passages", "batches"):
        op.create_table(name, sa.Column("n", number, primary_key=True), sa.Column("body", sa.Text, nullable=False))


def downgrade() -> None:
    """Nothing that was collected is thrown away."""
    raise NotImplementedError("A campaign is not taken back to older tables.")
