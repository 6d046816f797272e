"""`tercet.compat.sacrebleu` beside sacreBLEU itself: constructors, numbers, attributes, lines, signatures, draws."""

import importlib
import inspect
import itertools
import json
import pathlib
import random
from typing import Any

import pytest
import sacrebleu
import sacrebleu.metrics
import sacrebleu.significance
import sacrebleu.utils

import tercet.compat.sacrebleu as ours
import tercet.compat.sacrebleu.significance
import tercet.errors

FUNCTIONS = [n for n in ours.__all__ if inspect.isfunction(getattr(ours, n)) and not n.startswith("extract_")]
OPTIONS: dict[str, dict[str, tuple[object, ...]]] = {
    "BLEU": {
        "lowercase": (True,),
        "tokenize": ("none", "intl", "zh", "char", "13a"),
        "smooth_method": ("none", "floor", "add-k"),
        "max_ngram_order": (1, 2, 6, 9),
        "effective_order": (True,),
        "trg_lang": ("zh", "de"),
    },
    "CHRF": {
        "char_order": (1, 3, 8),
        "word_order": (1, 2, 3),
        "beta": (1, 3),
        "lowercase": (True,),
        "whitespace": (True,),
        "eps_smoothing": (True,),
    },
    "TER": dict.fromkeys(("normalized", "no_punct", "asian_support", "case_sensitive"), (True,)),
}
SETTINGS = [
    (name, options)
    for name, choices in OPTIONS.items()
    for options in ({}, *({option: value} for option, values in choices.items() for value in values))
] + [("BLEU", {"smooth_method": method, "smooth_value": 0.3}) for method in ("floor", "add-k", "exp", "none")]


def texts(seed: int, segments: int = 12) -> tuple[list[str], list[list[str | None]]]:
    """Hypotheses and two references that share words, with empty ones, some without a second reference."""
    draw = random.Random(seed)  # noqa: S311
    words = [
        "the",
        "Cat",
        "cat's",
        "sat",
        "on",
        "a",
        "mat.",
        "(really)",
        "4.2",
        "計画",
        "を",
        "नमस्ते",
        "–",
        "don't",
        "x",
    ]

    def line() -> str:
        return " ".join(draw.choices(words, k=draw.randrange(0, 12)))

    references: list[list[str | None]] = [[line() for _ in range(segments)] for _ in range(2)]
    hypotheses = [
        line() if draw.random() < 0.3 else " ".join((reference or "").split()[:: draw.choice((1, 1, 2))])
        for reference in references[0]
    ]
    references[1][draw.randrange(segments)] = None
    return hypotheses, references


def facts(score: object) -> dict[str, object]:
    """Every public attribute of a score."""
    names = ("name", "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio", "prec_str", "char_order",
             "word_order", "beta", "num_edits", "ref_length", "_mean", "_ci", "score")  # fmt: skip
    return {name: getattr(score, name) for name in names if hasattr(score, name)}


def same(got: object, wanted: object) -> None:
    """Every attribute: numbers to the last bits, which numpy's and the C library's logarithms may round apart."""
    mine, theirs = facts(got), facts(wanted)
    assert mine.keys() == theirs.keys()
    for name, value in theirs.items():
        assert mine[name] == (pytest.approx(value, rel=1e-14) if isinstance(value, float) else value), name


def signature(text: object) -> str:
    """A signature without the version, which names Tercet here."""
    return str(text).rpartition("|")[0]


@pytest.mark.parametrize(("name", "options"), SETTINGS, ids=str)
def test_scores_attributes_lines_and_signatures(name: str, options: dict[str, object]) -> None:
    theirs, mine = getattr(sacrebleu.metrics, name)(**options), getattr(ours, name)(**options)
    for seed in range(6):
        hypotheses, references = texts(seed)
        wanted, got = theirs.corpus_score(hypotheses, references), mine.corpus_score(hypotheses, references)
        same(got, wanted)
        assert str(got) == str(wanted)
        assert signature(mine.get_signature()) == signature(theirs.get_signature())
        assert (
            mine.get_signature().format(short=True).rpartition("|")[0]
            == (theirs.get_signature().format(short=True).rpartition("|")[0])
        )
        for i, hypothesis in enumerate(hypotheses):
            row = [stream[i] for stream in references if stream[i] is not None]
            same(mine.sentence_score(hypothesis, row), theirs.sentence_score(hypothesis, row))


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("seed", ["12345", "7"])
def test_bootstrap(name: str, seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    hypotheses, references = texts(3, 60)
    theirs, mine = getattr(sacrebleu.metrics, name)(), getattr(ours, name)()
    wanted = theirs.corpus_score(hypotheses, references, n_bootstrap=100)
    got = mine.corpus_score(hypotheses, references, n_bootstrap=100)
    same(got, wanted)
    for width, only in itertools.product((0, 2, 5), (True, False)):
        assert got.format(width, only) == wanted.format(width, only)
    line, again = str(theirs.get_signature()), wanted.format(signature=str(theirs.get_signature()), is_json=True)
    assert json.loads(got.format(signature=line, is_json=True)) == json.loads(again)
    assert signature(mine.get_signature()) == signature(theirs.get_signature())
    assert "bs:100|seed:" + seed in str(mine.get_signature())


@pytest.mark.parametrize("test_type", ["bs", "ar"])
def test_paired_tests(test_type: str) -> None:
    systems = [(f"s{seed}", texts(seed, 40)[0]) for seed in range(3)]
    references = texts(0, 40)[1]

    def run(metrics: object, significance: object) -> tuple[dict[str, str], dict[str, list[object]]]:
        scorers = {name: getattr(metrics, name)() for name in OPTIONS}
        test = significance.PairedTest(systems, scorers, references, test_type, 60, 50)  # type: ignore[attr-defined]
        signatures, columns = test()
        return {name: signature(text) for name, text in signatures.items()}, columns

    (mine, got), (theirs, wanted) = (
        run(ours, tercet.compat.sacrebleu.significance),
        run(sacrebleu.metrics, sacrebleu.significance),
    )
    assert mine == theirs
    assert got.pop("System") == wanted.pop("System")
    assert got.keys() == wanted.keys()
    for name in wanted:
        for here, there in zip(got[name], wanted[name], strict=True):
            assert here.p_value == there.p_value  # type: ignore[attr-defined]
            numbers = [(r.score, r.mean, r.ci) for r in (here, there)]  # type: ignore[attr-defined]
            assert numbers[0] == pytest.approx(numbers[1], rel=1e-14)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_have_the_same_parameters(name: str) -> None:
    def shape(function: object) -> list[tuple[str, object]]:
        return [(p.name, p.default) for p in inspect.signature(function).parameters.values()]  # type: ignore[arg-type]

    assert shape(getattr(ours, name)) == shape(getattr(sacrebleu, name))


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "raw_corpus_bleu"])
def test_functions_give_the_same(name: str) -> None:
    hypotheses, references = texts(1)
    one = name.startswith("sentence")
    arguments = (hypotheses[0], [references[0][0]]) if one else (hypotheses, references)
    same(getattr(ours, name)(*arguments), getattr(sacrebleu, name)(*arguments))


def test_kept_references_and_what_is_refused() -> None:
    hypotheses, references = texts(2)
    scorer = ours.CHRF(references=references)
    assert scorer.corpus_score(hypotheses, None).score == sacrebleu.CHRF().corpus_score(hypotheses, references).score  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="no references"):
        ours.TER().corpus_score(hypotheses, None)
    with pytest.raises(TypeError, match="BLEU: hypotheses must be a sequence of strings, not str"):
        ours.BLEU().corpus_score("one line", references)
    with pytest.raises(TypeError, match="references must be a sequence of sequences"):
        ours.BLEU().corpus_score(hypotheses, hypotheses)
    with pytest.raises(ValueError, match="not known before"):
        ours.BLEU().get_signature()
    with pytest.raises(ValueError, match="ar, bs, not 'x'"):
        tercet.compat.sacrebleu.significance.PairedTest([], {}, None, "x")


def test_says_that_texts_look_tokenised(caplog: pytest.LogCaptureFixture) -> None:
    ours.BLEU().corpus_score(["so it is ."] * 100, [["so it is ."] * 100])
    assert "end in a token '.'" in caplog.text
    caplog.clear()
    ours.BLEU(force=True).corpus_score(["so it is ."] * 100, [["so it is ."] * 100])
    assert caplog.text == ""


@pytest.mark.parametrize(
    "module", ["metrics", "metrics.bleu", "metrics.chrf", "metrics.helpers", "metrics.ter", "utils"]
)
def test_modules_have_names_that_programs_import(module: str) -> None:
    here, there = (importlib.import_module(f"{room}.{module}") for room in ("tercet.compat.sacrebleu", "sacrebleu"))
    assert here.__all__
    assert [name for name in here.__all__ if not hasattr(there, name)] == []


@pytest.mark.parametrize("n", [1, 2, 3, 9])
@pytest.mark.parametrize("text", ["", "a", "ab  cd ab", "中文 中文", "a\tb c"])
def test_ngrams_are_counted_as_there(text: str, n: int) -> None:
    words = text.split()
    assert ours.extract_word_ngrams(words, n) == sacrebleu.extract_word_ngrams(words, n)
    for blanks in (False, True):
        assert ours.extract_char_ngrams(text, n, blanks) == sacrebleu.extract_char_ngrams(text, n, blanks)


def test_utils_do_without_data_sets(tmp_path: pathlib.Path) -> None:
    for name in ("a.txt", "a.txt.gz"):
        with ours.utils.smart_open(tmp_path / name, "wt") as file:
            file.write("नमस्ते\r\nx")
        theirs = sacrebleu.utils.smart_open(str(tmp_path / name))  # type: ignore[no-untyped-call]
        with theirs as wanted, ours.utils.smart_open(tmp_path / name) as file:
            assert file.read() == wanted.read() == "नमस्ते\r\nx"
    assert [ours.utils.my_log(x) for x in (0, 2.5)] == [sacrebleu.utils.my_log(x) for x in (0, 2.5)]
    with pytest.raises(tercet.errors.InputError, match="Nothing is downloaded"):
        ours.utils.get_reference_files("wmt14", "en-de")
    with pytest.raises(tercet.errors.InputError, match="There are 1 lines"):
        ours.utils.sanity_check_lengths(["a"], [["a", "b"]])


@pytest.mark.parametrize("name", ["DATASETS", "dataset"])
def test_data_sets_are_refused_in_a_sentence(name: str) -> None:
    assert not hasattr(ours, name)
    with pytest.raises(AttributeError, match=rf"{name}.*no data sets of sacreBLEU's\. Give the files"):
        getattr(ours, name)
    with pytest.raises(AttributeError, match=r"has no 'DATASET'\.$"):
        ours.DATASET  # noqa: B018


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *(("BLEU", {"tokenize": spec}) for spec in ("13a", "intl", "zh", "char", "none")),
        ("BLEU", {"trg_lang": "zh"}),
        ("TER", {}),
        ("TER", {"normalized": True, "case_sensitive": True}),
    ],
)
def test_metrics_have_their_tokenizer(name: str, options: dict[str, Any]) -> None:
    here, there = (getattr(metrics, name)(**options) for metrics in (ours, sacrebleu))
    assert here.tokenizer_signature == there.tokenizer_signature == here.tokenizer.signature()
    assert here.tokenizer("Jim's car, 美众院.") == there.tokenizer("Jim's car, 美众院.")


def test_metrics_have_their_orders() -> None:
    for orders in ((6, 0), (6, 2), (4, 0)):
        assert ours.CHRF(*orders).order == sacrebleu.CHRF(*orders).order == sum(orders)
    theirs = importlib.import_module("sacrebleu.metrics.bleu")
    assert ours.metrics.bleu.MAX_NGRAM_ORDER == theirs.MAX_NGRAM_ORDER


def test_tokenizers_that_need_a_model_say_so() -> None:
    for name in ("flores200", "spBLEU-1K"):
        assert name in ours.BLEU.TOKENIZERS
        with pytest.raises(tercet.errors.TercetError, match=f"{name} needs a model"):
            ours.BLEU(tokenize=name).corpus_score(["a"], [["a"]])


TOKENIZERS: dict[str, tuple[str, dict[str, bool]]] = {
    "Tokenizer13a": ("13a", {}),
    "TokenizerV14International": ("intl", {}),
    "TokenizerZh": ("zh", {}),
    "TokenizerChar": ("char", {}),
    "NoneTokenizer": ("none", {}),
    "TercomTokenizer": ("ter", {}),
    "TercomTokenizer, all of it": ("ter", {"normalized": True, "no_punct": True, "asian_support": True}),
    "TercomTokenizer, with case": ("ter", {"normalized": True, "case_sensitive": True}),
}


@pytest.mark.parametrize(("name", "module", "options"), [(n, *rest) for n, rest in TOKENIZERS.items()], ids=TOKENIZERS)
def test_tokenizers_are_classes_too(name: str, module: str, options: dict[str, bool]) -> None:
    here, there = (
        getattr(importlib.import_module(f"{package}.tokenizers.tokenizer_{module}"), name.partition(",")[0])(**options)
        for package in ("tercet.compat.sacrebleu", "sacrebleu")
    )
    assert here.signature() == there.signature()
    for line in ("", "Jim's car, 4.2 %.", "  two   blanks ", "美众院公布对特。", "a &quot;b&quot; (c)-d", *texts(3)[0]):
        assert here(line) == there(line), line
