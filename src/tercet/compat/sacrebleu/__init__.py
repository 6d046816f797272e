"""sacreBLEU's functions and classes, computed by Tercet: `import tercet.compat.sacrebleu as sacrebleu`.

The names, parameters, results and numbers are those of sacreBLEU 2.6.0; only the import changes.

>>> import tercet.compat.sacrebleu as sacrebleu
>>> hypotheses = ["The ferry leaves at nine.", "Bring warm clothes."]
>>> sacrebleu.corpus_bleu(hypotheses, [["The ferry leaves at ten.", "Bring some warm clothes."]])
BLEU = 46.59 90.0/62.5/50.0/25.0 (BP = 0.905 ratio = 0.909 hyp_len = 10 ref_len = 11)

Data sets, downloads and files are not here: Tercet reads the user's own.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from tercet.compat.sacrebleu import metrics as metrics
from tercet.compat.sacrebleu import significance as significance
from tercet.compat.sacrebleu import tokenizers as tokenizers
from tercet.compat.sacrebleu import utils as utils
from tercet.compat.sacrebleu.metrics import BLEU, CHRF, SACREBLEU, TER
from tercet.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from tercet.compat.sacrebleu.scores import BLEUScore, CHRFScore, TERScore
from tercet.compat.sacrebleu.utils import download_test_set as download_test_set
from tercet.compat.sacrebleu.utils import get_available_testsets as get_available_testsets
from tercet.compat.sacrebleu.utils import get_langpairs_for_testset as get_langpairs_for_testset
from tercet.compat.sacrebleu.utils import get_reference_files as get_reference_files
from tercet.compat.sacrebleu.utils import get_source_file as get_source_file
from tercet.compat.sacrebleu.utils import smart_open as smart_open

__version__ = SACREBLEU
compat = sys.modules[__name__]  # where sacreBLEU keeps its functions
__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "__version__",
    "compat",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "significance",
    "utils",
]


def __getattr__(name: str) -> NoReturn:
    why = f" {utils.NO_DATA} {utils.GIVE_FILES}" if name in ("DATASETS", "SACREBLEU_DIR", "dataset") else ""
    raise AttributeError(f"tercet.compat.sacrebleu has no {name!r}.{why}")


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """BLEU of a corpus; `references` has one list a reference."""
    scorer = BLEU(lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    return scorer.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """BLEU of tokens that white space separates, with a floor and the effective order."""
    return corpus_bleu(hypotheses, references, "floor", smooth_value, True, False, "none", True)


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """BLEU of one sentence against one or several references."""
    scorer = BLEU(lowercase, False, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    return scorer.sentence_score(hypothesis, references)


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: float = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """The chrF of a corpus, chrF++ with `word_order=2`."""
    scorer = CHRF(char_order, word_order, beta, whitespace=not remove_whitespace, eps_smoothing=eps_smoothing)
    return scorer.corpus_score(hypotheses, references)


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str | None],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: float = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """The chrF of one sentence against one or several references."""
    scorer = CHRF(char_order, word_order, beta, whitespace=not remove_whitespace, eps_smoothing=eps_smoothing)
    return scorer.sentence_score(hypothesis, references)


def corpus_ter(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """TER of a corpus."""
    return TER(normalized, no_punct, asian_support, case_sensitive).corpus_score(hypotheses, references)


def sentence_ter(
    hypothesis: str,
    references: Sequence[str | None],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """TER of one sentence against one or several references."""
    return TER(normalized, no_punct, asian_support, case_sensitive).sentence_score(hypothesis, references)
