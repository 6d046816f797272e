"""Features of quality estimation, each a small registered thing with a card.

base       what a feature sees and gives
baseline   the seventeen of the shared tasks, as QuEst++ computes them
surface    lengths, numbers, brackets, copies; what metrics say; consensus with other systems
sets       named lists of features for the resources that there are
"""

from tercet.quality.features.base import Feature, Translations
from tercet.spec import Registry

_BASELINE, _SURFACE = "tercet.quality.features.baseline", "tercet.quality.features.surface"

FEATURES: Registry[Feature] = Registry(
    kind="feature",
    group="tercet.features",
    base=Feature,
    table={
        "tokens": f"{_BASELINE}:TokenCount",
        "token-length": f"{_BASELINE}:TokenLength",
        "lm-probability": f"{_BASELINE}:LanguageModelFeature",
        "repetition": f"{_BASELINE}:Repetition",
        "word-translations": f"{_BASELINE}:TranslationsOfWords",
        "frequency-quartile": f"{_BASELINE}:FrequencyQuartile",
        "known-words": f"{_BASELINE}:KnownWords",
        "punctuation": f"{_BASELINE}:Punctuation",
        "token-ratio": f"{_SURFACE}:TokenRatio",
        "number-mismatch": f"{_SURFACE}:NumberMismatch",
        "copied-words": f"{_SURFACE}:CopiedWords",
        "bracket-mismatch": f"{_SURFACE}:BracketMismatch",
        "metric": f"{_SURFACE}:MetricFeature",
        "consensus": f"{_SURFACE}:Consensus",
    },
)

__all__ = ["FEATURES", "Feature", "Translations"]
