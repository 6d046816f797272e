"""A whole metrics task as a question in TOML: test sets, judgements, metrics, gold, measures, and what to average."""

from tercet.study.file import Entrant, LevelPlan, Study, StudyDirection, read_study
from tercet.study.run import StudyResult, answer

__all__ = ["Entrant", "LevelPlan", "Study", "StudyDirection", "StudyResult", "answer", "read_study"]
