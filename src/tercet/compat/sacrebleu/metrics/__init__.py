"""sacreBLEU's metrics, a module each: its constructors, its two ways to score, its signatures."""

from tercet.compat.sacrebleu.metrics.base import SACREBLEU as SACREBLEU
from tercet.compat.sacrebleu.metrics.base import Scorer as Scorer
from tercet.compat.sacrebleu.metrics.base import Signature as Signature
from tercet.compat.sacrebleu.metrics.base import Streams as Streams
from tercet.compat.sacrebleu.metrics.base import seed_of_environment as seed_of_environment
from tercet.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from tercet.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from tercet.compat.sacrebleu.metrics.ter import TER, TERScore

METRICS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]
