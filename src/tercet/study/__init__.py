"""A whole metrics task as a question in TOML: test sets, judgements, metrics, gold, measures, and what to average."""

from tercet.study.file import Direction, Entrant, LevelPlan, Study, read_study
from tercet.study.run import StudyResult, answer

__all__ = ["Direction", "Entrant", "LevelPlan", "Study", "StudyResult", "answer", "read_study"]
