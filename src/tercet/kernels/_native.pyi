import numpy as np
from numpy.typing import NDArray

_Bytes = NDArray[np.uint8]
_Ints = NDArray[np.int64]
_Floats = NDArray[np.float64]
_Lines = tuple[_Bytes, _Ints]
_Tokens = tuple[_Bytes, _Ints, _Ints]

def pack(strings: list[str]) -> _Lines: ...
def unpack(lines: _Lines) -> list[str]: ...
def lower(lines: _Lines, how: str) -> _Lines: ...
def split_whitespace(lines: _Lines, threads: int) -> _Tokens: ...
def split_spaces(lines: _Lines, threads: int) -> _Tokens: ...
def tokenize_13a(lines: _Lines, threads: int) -> _Tokens: ...
def tokenize_intl(lines: _Lines, threads: int) -> _Tokens: ...
def tokenize_zh(lines: _Lines, threads: int) -> _Tokens: ...
def tokenize_char(lines: _Lines, threads: int) -> _Tokens: ...
def tokenize_tercom(
    lines: _Lines,
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    case_sensitive: bool,
    twice: bool,
    threads: int,
) -> _Tokens: ...
def tokenize_mteval(
    lines: _Lines,
    international: bool,
    case_sensitive: bool,
    enclose_non_ascii: bool,
    threads: int,
) -> _Tokens: ...
def tokenize_moses(
    lines: _Lines,
    apostrophe: str,
    word_internal: str,
    escape: bool,
    aggressive: bool,
    prefixes: dict[str, int],
    threads: int,
) -> _Tokens: ...
def tokenize_meteor(
    lines: _Lines, normalize: str, apostrophe: str, prefixes: dict[str, int], threads: int
) -> _Tokens: ...
def stem(words: _Lines, language: str, threads: int) -> _Lines: ...
def eed_text(lines: _Lines, threads: int) -> _Lines: ...
def eed(
    hyps: _Lines,
    refs: _Lines,
    groups: _Ints,
    version: str,
    alpha: float,
    deletion: float,
    insertion: float,
    substitution: float,
    rho: float,
    threads: int,
) -> _Floats: ...
def character(hyps: _Tokens, refs: _Tokens, groups: _Ints, threads: int) -> _Floats: ...
def character_shifts(hyps: _Tokens, refs: _Tokens) -> _Ints: ...
def lebleu(
    hyps: _Tokens, refs: _Tokens, owners: _Ints, max_n: int, threshold: float, sampling: int, threads: int
) -> _Floats: ...
def bleu(hyps: _Tokens, refs: _Tokens, groups: _Ints, order: int, reference_length: str, threads: int) -> _Floats: ...
def beer(hyps: _Lines, refs: _Lines, groups: _Ints, threads: int) -> _Floats: ...
def chrf(
    hyps: _Lines,
    refs: _Lines,
    groups: _Ints,
    char_order: int,
    word_order: int,
    beta: float,
    whitespace: bool,
    eps_smoothing: bool,
    original: bool,
    threads: int,
) -> _Floats: ...

class InformationTable:
    def __init__(self, order: int) -> None: ...
    def add(self, refs: _Tokens) -> None: ...

def nist(hyps: _Tokens, refs: _Tokens, groups: _Ints, information: InformationTable, threads: int) -> _Floats: ...
def edits(hyps: _Tokens, refs: _Tokens, groups: _Ints, jumps: bool, best: bool, threads: int) -> _Floats: ...
def per(hyps: _Tokens, refs: _Tokens, groups: _Ints, threads: int) -> _Floats: ...
def ter(hyps: _Tokens, refs: _Tokens, groups: _Ints, threads: int) -> _Floats: ...
def moses_ter(hyps: _Tokens, refs: _Tokens, groups: _Ints, threads: int) -> _Floats: ...
def ter_script(shifted: NDArray[np.int32], fixed: NDArray[np.int32]) -> tuple[_Ints, _Ints]: ...
def moses_ter_script(shifted: NDArray[np.int32], fixed: NDArray[np.int32]) -> tuple[_Ints, _Ints]: ...
def sampled_sums(indices: _Ints, rows: _Floats, threads: int) -> _Floats: ...
def masked_sums(mask: _Bytes, rows: _Floats, threads: int) -> _Floats: ...
def sampled_counts(
    cell: _Ints, unit_starts: _Ints, n_cells: int, samples: int, first_sample: int, seed: int, threads: int
) -> _Ints: ...
def trueskill_rate(
    mu: _Floats, variance: _Floats, ranks: _Ints, beta: float, draw_margin: float
) -> tuple[_Floats, _Floats]: ...
def trueskill_runs(
    found: _Ints,
    names_order: _Ints,
    updates: int,
    runs: int,
    first_run: int,
    seed: int,
    sigma: float,
    beta: float,
    draw_margin: float,
    adaptive: bool,
    resample: bool,
    threads: int,
) -> tuple[_Floats, _Floats]: ...
def trueskill_matches(
    sets: _Ints,
    starts: _Ints,
    ranks: _Ints,
    n_systems: int,
    names_order: _Ints,
    updates: int,
    runs: int,
    first_run: int,
    seed: int,
    sigma: float,
    beta: float,
    draw_margin: float,
    threads: int,
) -> tuple[_Floats, _Floats]: ...
def hm_adjust(q1: float, q2: float, outcome: int, radius: float) -> tuple[float, float]: ...
def hopkins_may(
    left: _Ints,
    right: _Ints,
    outcome: _Ints,
    task: _Ints,
    segment: _Ints,
    n_systems: int,
    iterations: int,
    burn_in: int,
    radius: float,
    sigma_0: float,
    sigma_a: float,
    sigma_obs: float,
    last_only: bool,
    resample: str,
    runs: int,
    first_run: int,
    seed: int,
    threads: int,
) -> _Floats: ...
def hybrid_choices(
    n_systems: int, n_items: int, hybrids: int, first_hybrid: int, seed: int, threads: int
) -> NDArray[np.int32]: ...
def hybrid_sums(rows: _Floats, hybrids: int, first_hybrid: int, seed: int, threads: int) -> _Floats: ...
def correlate_groups(
    kind: str, gold: _Floats, metric: _Floats, starts: _Ints, epsilon: float, threshold: float, threads: int
) -> tuple[_Floats, _Floats]: ...
def correlate_versions(
    kind: str, gold: _Floats, metrics: _Floats, epsilon: float, threshold: float, threads: int
) -> _Floats: ...

DRAWS_TOGETHER: int

def permutation_differences(
    kind: str,
    gold: _Floats,
    first: _Floats,
    second: _Floats,
    starts: _Ints,
    unit: _Ints,
    n_units: int,
    threshold: float,
    zero_nans: bool,
    draws: int,
    first_draw: int,
    seed: int,
    threads: int,
) -> _Floats: ...
def coin_sums(counts: _Ints, weights: _Floats, draws: int, first_draw: int, seed: int, threads: int) -> _Floats: ...
def bootstrap_agreements(
    kind: str,
    gold: _Floats,
    metrics: _Floats,
    epsilons: _Floats,
    grouping: str,
    drawn: str,
    threshold: float,
    zero_nans: bool,
    samples: int,
    first_sample: int,
    seed: int,
    threads: int,
) -> _Floats: ...
def harmonic_grid(
    inverse_precision: _Floats,
    inverse_recall: _Floats,
    penalties: _Floats,
    left: _Ints,
    right: _Ints,
    up: _Ints,
    down: _Ints,
    starts: _Ints,
    alphas: _Floats,
    gammas: _Floats,
    threads: int,
) -> _Ints: ...
def calibrated_sums(
    metrics: _Floats, first: _Ints, second: _Ints, people: _Ints, weights: _Ints, threads: int
) -> _Ints: ...

class ParaphraseTable:
    def __init__(self, block: _Bytes) -> None: ...
    def __len__(self) -> int: ...
    @property
    def source(self) -> bytes: ...
    def matches(self, hyps: _Tokens, refs: _Tokens, groups: _Ints, threads: int) -> tuple[_Ints, NDArray[np.int32]]: ...

class ParaphraseBuilder:
    def __init__(self, most_bytes: int) -> None: ...
    def add(self, text: bytes) -> None: ...
    def finish(self, source: bytes) -> _Bytes: ...

class MeteorWords:
    def __init__(
        self,
        words: _Lines,
        function: _Bytes,
        characters: bool,
        stems: _Lines | None,
        synsets: tuple[_Ints, NDArray[np.int32]] | None,
        table: ParaphraseTable | None,
    ) -> None: ...

_Words = tuple[NDArray[np.int32], _Ints]
_Given = tuple[_Ints, NDArray[np.int32]]

def number_words(hyps: _Tokens, refs: _Tokens) -> tuple[NDArray[np.int32], NDArray[np.int32], _Lines]: ...
def meteor(
    hyps: _Words,
    refs: _Words,
    groups: _Ints,
    words: MeteorWords,
    stages: list[str],
    given: _Given | None,
    equal_credit: bool,
    slots: int,
    threads: int,
) -> _Floats: ...
def meteor_alignments(
    hyps: _Words,
    refs: _Words,
    groups: _Ints,
    words: MeteorWords,
    stages: list[str],
    given: _Given | None,
    equal_credit: bool,
) -> _Given: ...
def terp(
    hyps: _Words,
    refs: _Words,
    groups: _Ints,
    n_words: int,
    stems: _Lines | None,
    synsets: tuple[_Ints, NDArray[np.int32]] | None,
    phrases: _Given | None,
    costs: list[float],
    threads: int,
) -> _Floats: ...
def terp_script(
    hyps: _Words,
    refs: _Words,
    groups: _Ints,
    n_words: int,
    stems: _Lines | None,
    synsets: tuple[_Ints, NDArray[np.int32]] | None,
    phrases: _Given | None,
    costs: list[float],
    row: int,
) -> tuple[int, _Ints, _Ints]: ...
def word_runs(hyps: _Tokens, refs: _Tokens, groups: _Ints, exponent: float, threads: int) -> _Floats: ...
def apac(
    hyps: _Tokens, refs: _Tokens, groups: _Ints, alpha: float, beta: float, repetitions: int, threads: int
) -> _Floats: ...
def tbleu(
    hyps: _Tokens,
    refs: _Tokens,
    groups: _Ints,
    order: int,
    both: bool,
    shortest: int,
    farthest: float,
    penalty: float,
    threads: int,
) -> _Floats: ...
def inversions(hyps: _Tokens, refs: _Tokens, groups: _Ints, block: int, cost: int, threads: int) -> _Floats: ...
def lepor(hyps: _Tokens, refs: _Tokens, groups: _Ints, window: int, order: int, threads: int) -> _Floats: ...
def lepor_matches(hyp: NDArray[np.int32], ref: NDArray[np.int32], window: int) -> NDArray[np.int32]: ...
def split_single_spaces(lines: _Lines, threads: int) -> _Tokens: ...
def yisi(
    hyps: _Words,
    refs: _Words,
    groups: _Ints,
    words: _Lines,
    weights: _Floats,
    how: str,
    vectors: tuple[_Ints, _Floats] | None,
    order: int,
    threads: int,
) -> _Floats: ...
def yisi_matches(
    hyps: _Words,
    refs: _Words,
    groups: _Ints,
    words: _Lines,
    weights: _Floats,
    how: str,
    vectors: tuple[_Ints, _Floats] | None,
    order: int,
    hyp: int,
    ref: int,
) -> tuple[int, NDArray[np.int32], _Floats]: ...
def longest_common_substring(one: str, other: str) -> int: ...
def rouge(hyps: _Tokens, refs: _Tokens, groups: _Ints, order: int, threads: int) -> _Floats: ...
def tokenize_rouge(lines: _Lines, stem: bool, unicode: bool, threads: int) -> _Tokens: ...

class Ibm1Trainer:
    def __init__(self, empty_word: bool, longest: int) -> None: ...
    def add(self, sources: _Tokens, targets: _Tokens) -> int: ...
    def prepare(self, threads: int) -> int: ...
    def iterate(self, threads: int) -> float: ...
    def entries(
        self, least: float, threads: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]: ...
    @property
    def pairs(self) -> int: ...
    @property
    def target_words(self) -> int: ...
    @property
    def sources(self) -> _Lines: ...
    @property
    def targets(self) -> _Lines: ...

class Ibm1Table:
    def __init__(self) -> None: ...
    def read(self, lines: _Lines) -> tuple[int, str]: ...
    def __len__(self) -> int: ...

def ibm1(sources: _Tokens, targets: _Tokens, table: Ibm1Table | None, floor: float, threads: int) -> _Floats: ...

class ArpaModel:
    def __init__(self) -> None: ...
    def read(self, lines: _Lines) -> tuple[int, str]: ...
    def finish(self) -> str: ...
    @property
    def order(self) -> int: ...
    def __len__(self) -> int: ...
    def score(self, texts: _Tokens, whole_sentence: bool, threads: int) -> _Floats: ...
