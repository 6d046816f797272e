"""Spec strings: read, written, and refused."""

from __future__ import annotations

import dataclasses
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet.errors import SpecError
from tercet.metrics import METRICS
from tercet.quality.features import FEATURES
from tercet.spec import Registry, Spec, option, option_docs, options, read, show, write
from tercet.text import TOKENIZERS


@dataclasses.dataclass(frozen=True)
class Sample(Spec):
    """A spec with an option of every type."""

    word: str = option("13a", "any string")
    flag: bool = option(False, "yes or no")
    count: int = option(4, "whole")
    rate: float = option(2.0, "a number")
    maybe: float | None = option(None, "a number or nothing")
    perhaps: str | None = option(None, "a string or nothing")
    choice: Literal["exp", "add-k", "none"] = option("exp", "one of three")
    either: bool | Literal["ascii"] = option(False, "yes, no or ascii")
    names: tuple[str, ...] = option((), "several words")
    sizes: tuple[int, ...] = option((1, 2), "several numbers")

    name = "sample"


REGISTRY: Registry[Sample] = Registry(
    kind="sample",
    group="tercet.test.samples",
    base=Sample,
    table={"sample": "tests.test_spec:Sample"},
    aliases={"sample5": "sample(count=5)", "flagged": "sample(flag=true, count=6)"},
)

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
TRICKY = st.text("ab\"'\\,()=+ \n\té13.-_:/", max_size=10)
SPEC_LIKE = st.sampled_from(["none", "true", "a(b=c)", "a(b=c, d=e(f=g))", 'a(b="c d")', "a()", "a(b=true)", "1", ")"])
WORD = st.one_of(TEXT, TRICKY, SPEC_LIKE)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
PIECE = st.text("abé13.-_", min_size=1, max_size=4)
SAMPLES = st.builds(
    Sample,
    word=WORD,
    flag=st.booleans(),
    count=st.integers(1 - (1 << 63), (1 << 63) - 1),
    rate=NUMBER,
    maybe=st.none() | NUMBER,
    choice=st.sampled_from(["exp", "add-k", "none"]),
    either=st.sampled_from([True, False, "ascii"]),
    names=st.lists(PIECE, max_size=3).map(tuple),
    sizes=st.lists(st.integers(-9, 9), max_size=3).map(tuple),
)


@given(SAMPLES)
def test_what_is_written_is_read_again(sample: Sample) -> None:
    again = REGISTRY.make(str(sample))
    assert again == sample
    assert hash(again) == hash(sample)
    assert str(again) == str(sample)


@given(WORD.filter(lambda word: word != "none"))  # the word none is nothing, where nothing is allowed
def test_a_string_beside_none_stays_a_string(word: str) -> None:
    assert REGISTRY.make(str(Sample(perhaps=word))).perhaps == word


@given(st.dictionaries(st.from_regex(r"\A[a-z][a-z_0-9]{0,4}\Z"), WORD, max_size=4))
def test_read_is_the_inverse_of_write(given_options: dict[str, str]) -> None:
    assert read(write("name", given_options)) == ("name", given_options)


@given(st.one_of(TEXT, TRICKY, st.text('ab(=,)"\\ ', max_size=12)))
def test_any_string_is_read_or_refused(text: str) -> None:
    try:
        name, found = read(text)
    except SpecError as error:
        assert_told(error)
    else:
        assert read(write(name, found)) == (name, found)


def assert_told(error: SpecError) -> None:
    """The error says what was wrong and what to do."""
    assert "Cannot read the spec" in str(error) or "twice" in str(error)
    assert error.hint


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("chrf", ("chrf", {})),
        ("chrf()", ("chrf", {})),
        (" chrf ( beta = 3 , lowercase = true ) ", ("chrf", {"beta": "3", "lowercase": "true"})),
        ("chrf++", ("chrf++", {})),
        ("a(b='it\\'s')", ("a", {"b": "it's"})),
        ('a(b="x, y)", c=z)', ("a", {"b": "x, y)", "c": "z"})),
        ('a(b="\\\\")', ("a", {"b": "\\"})),
        ("a(b=c(d=e))", ("a", {"b": "c(d=e)"})),
        ("a(b=c( d = e ),f=g)", ("a", {"b": "c(d=e)", "f": "g"})),
        ('a(b=c(d="e f"))', ("a", {"b": 'c(d="e f")'})),
        ("a(b=x+y+z)", ("a", {"b": "x+y+z"})),
        ("a(b=/data/é.gz)", ("a", {"b": "/data/é.gz"})),
    ],
)
def test_reading(text: str, wanted: tuple[str, dict[str, str]]) -> None:
    assert read(text) == wanted


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (True, "true"),
        (None, "none"),
        (3.0, "3"),
        (0.5, "0.5"),
        (1e300, "1e+300"),
        (-2, "-2"),
        (("a", "b"), "a+b"),
        ((1, 2), "1+2"),
        ("add-k", "add-k"),
        ("none", "none"),
        ("true", "true"),
        ("tercom(normalized=true)", "tercom(normalized=true)"),
        ("", '""'),
        ("a b", '"a b"'),
        ('say "x\\"', '"say \\"x\\\\\\""'),
        ("moses(language=de)", "moses(language=de)"),
        ("moses(language = de)", '"moses(language = de)"'),
    ],
)
def test_showing(value: object, wanted: str) -> None:
    assert show(value) == wanted


def test_only_what_differs_is_written_in_the_order_of_the_fields() -> None:
    assert str(Sample()) == "sample"
    assert str(Sample(rate=3.0, word="a b", flag=True)) == 'sample(word="a b", flag=true, rate=3)'
    assert str(Sample(names=("x", "y"), maybe=0.25)) == "sample(maybe=0.25, names=x+y)"


def test_parameters_hold_defaults_too() -> None:
    found = Sample(count=9).parameters()
    assert list(found) == list(options(Sample)) == list(option_docs(Sample))
    assert (found["count"], found["rate"], found["names"]) == (9, 2.0, ())
    assert option_docs(Sample)["count"] == "whole"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("sample5", "sample(count=5)"),
        ("sample5(count=7)", "sample(count=7)"),
        ("flagged(rate=1)", "sample(flag=true, count=6, rate=1)"),
        ("flagged(flag=false, count=4)", "sample"),
    ],
)
def test_aliases_take_options(text: str, wanted: str) -> None:
    assert str(REGISTRY.make(text)) == wanted


def test_aliases_of_metrics() -> None:
    assert METRICS.make("chrf++") == METRICS.make("chrf(word_order=2)")
    assert str(METRICS.make("chrf++(beta=3)")) == "chrf(word_order=2, beta=3)"
    assert str(METRICS.make("chrf3(beta=2)")) == "chrf"


def test_options_of_a_metric_by_their_names() -> None:
    assert tercet.metric("bleu", order=2, lowercase=True) == tercet.metric("bleu(order=2, lowercase=true)")
    assert tercet.metric("chrf++", beta=3) == tercet.metric("chrf(word_order=2, beta=3)")
    assert METRICS.make(METRICS.make("chrf3"), word_order=2) == METRICS.make("chrf(beta=3, word_order=2)")
    assert tercet.metric("meteor", weights=[1, 0.6, 0.5, 0.4]).parameters()["weights"] == (1.0, 0.6, 0.5, 0.4)
    with pytest.raises(SpecError, match=r"has no option .ordr.; .* Did you mean order"):
        tercet.metric("bleu", ordr=2)
    with pytest.raises(SpecError, match="order must be a whole number"):
        tercet.metric("bleu", order="two")


def test_a_spec_within_a_spec() -> None:
    nested = METRICS.make("bleu(tokenize=moses(language=de), order=2)")
    assert str(nested) == "bleu(tokenize=moses(language=de), order=2)"
    assert METRICS.make(str(nested)) == nested
    flags = METRICS.make("bleu(tokenize=tercom(normalized=true, asian_support=true))")
    assert flags == METRICS.make('bleu(tokenize="tercom(normalized=true, asian_support=true)")')
    assert METRICS.make(str(flags)) == flags
    assert flags != METRICS.make("bleu(tokenize=tercom(normalized=true))")


def test_a_nested_spec_needs_no_quotes() -> None:
    text = "bleu(tokenize=tercom(normalized=true))"
    assert str(METRICS.make(text)) == text


def test_a_made_spec_is_taken_as_it_is() -> None:
    made = REGISTRY.make("sample(count=2)")
    assert REGISTRY.make(made) is made


def test_deep_nesting_is_read_or_refused_at_once() -> None:
    deep = "a(b=" * 8 + "c" + ")" * 8
    assert read(deep) == ("a", {"b": deep[4:-1]})
    for text in ("a(b=" * 12, "a(b=" * 2000, "a(b=" * 12 + "c" + ")" * 12):
        with pytest.raises(SpecError):
            read(text)


def refused(text: str, registry: Registry[Sample] = REGISTRY) -> SpecError:
    """The error that a spec string earns."""
    with pytest.raises(SpecError) as caught:
        registry.make(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Cannot read the spec '': a name expected at character 1, it ends there."),
        ("(", "Cannot read the spec '(': a name expected at character 1, found '('."),
        ("sample(", "Cannot read the spec 'sample(': the name of an option expected at character 8, it ends there."),
        ("sample(count", "Cannot read the spec 'sample(count': '=' expected at character 13, it ends there."),
        ("sample(count=", "Cannot read the spec 'sample(count=': a value expected at character 14, it ends there."),
        (
            "sample(count=3",
            "Cannot read the spec 'sample(count=3': ',' or ')' expected at character 15, it ends there.",
        ),
        (
            "sample(count=3,)",
            "Cannot read the spec 'sample(count=3,)': the name of an option expected at character 16, found ')'.",
        ),
        ("sample(count=3) x", "Cannot read the spec 'sample(count=3) x': the end expected at character 17, found 'x'."),
        ("sample)", "Cannot read the spec 'sample)': the end expected at character 7, found ')'."),
        (
            'sample(word="x',
            "Cannot read the spec 'sample(word=\"x': a closing \" expected at character 15, it ends there.",
        ),
        ("sample(word='x\\", "a closing ' expected"),
        ("sample(word=a(b=c)", "',' or ')' expected at character 19, it ends there."),
    ],
)
def test_what_cannot_be_read(text: str, message: str) -> None:
    error = refused(text)
    assert message in str(error)
    assert error.hint == 'A spec looks like name or name(option=value, other="a string").'


def test_the_same_option_twice() -> None:
    error = refused("sample(count=1, flag=true, count=2)")
    assert str(error) == "The spec 'sample(count=1, flag=true, count=2)' gives count twice. Leave one of them out."


def test_an_unknown_name_gets_the_nearest_names() -> None:
    error = refused("smaple")
    assert str(error) == (
        "There is no sample called 'smaple'. Did you mean sample or sample5? `tercet list` shows every sample."
    )
    with pytest.raises(SpecError, match=r"There is no metric called 'blue'. Did you mean bleu"):
        METRICS.make("blue")
    with pytest.raises(SpecError, match=r"There is no tokenizer called '13b'. Did you mean 13a"):
        TOKENIZERS.make("13b")


def test_a_name_like_no_other() -> None:
    assert str(refused("xyzzy")) == "There is no sample called 'xyzzy'. `tercet list` shows every sample."


def test_an_unknown_option_gets_the_nearest_option() -> None:
    known = ", ".join(options(Sample))
    error = refused("sample(cuont=3)")
    assert str(error) == f"sample has no option 'cuont'; it takes {known}. Did you mean count?"
    assert str(refused("sample(zzz=3)")) == f"sample has no option 'zzz'; it takes {known}."
    with pytest.raises(SpecError, match=r"^13a has no option 'x'; it takes none\.$"):
        TOKENIZERS.make("13a(x=1)")


@pytest.mark.parametrize(
    ("given_option", "message"),
    [
        ("count=many", "sample: count must be a whole number, not many."),
        ("count=2.5", "sample: count must be a whole number, not 2.5."),
        ("rate=fast", "sample: rate must be a number, not fast."),
        ("flag=maybe", "sample: flag must be true or false, not maybe."),
        ("flag=1", "sample: flag must be true or false, not 1."),
        ("flag=True", "sample: flag must be true or false, not True."),
        ("choice=best", "sample: choice must be one of exp, add-k, none, not best."),
        ("maybe=much", "sample: maybe must be a number, not much."),
        ("either=unicode", "sample: either must be true or false or one of ascii, not unicode."),
        ("sizes=1+x", "sample: sizes must be a whole number, not x."),
    ],
)
def test_a_value_of_the_wrong_type(given_option: str, message: str) -> None:
    error = refused(f"sample({given_option})")
    assert str(error) == f"{message} See `tercet show sample`."


def test_none_is_nothing() -> None:
    assert REGISTRY.make("sample(maybe=none)").maybe is None
    assert REGISTRY.make("sample(perhaps=none)").perhaps is None
    assert REGISTRY.make("sample(word=none)").word == "none"


@pytest.mark.parametrize("value", ["inf", "-inf", "nan", "1e999"])
def test_a_number_is_finite(value: str) -> None:
    assert f"rate must be a finite number, not {value}." in str(refused(f"sample(rate={value})"))


def test_a_whole_number_is_one_that_the_kernels_can_count() -> None:
    with pytest.raises(SpecError, match="shortest must be a whole number up to 9223372036854775807"):
        METRICS.make(f"tbleu(shortest={1 << 63})")
    assert tercet.score({"A": ["a b"]}, ["a b"], metrics=[f"tbleu(shortest={(1 << 63) - 1})"])


def test_a_metric_refuses_what_it_cannot_do() -> None:
    for text, option_name in (
        ("bleu(order=0)", "order"),
        ("chrf(beta=0)", "beta"),
        ("bleu(smooth_value=1)", "smooth_value"),
    ):
        with pytest.raises(SpecError, match=f"{option_name} must be .*See `tercet show"):
            METRICS.make(text)


def test_a_frozen_value_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Sample().count = 5  # type: ignore[misc]


def test_the_constructor_checks_as_the_parser_does() -> None:
    from tercet.metrics.bleu import Bleu
    from tercet.metrics.chrf import Chrf

    for wrong in ({"smooth": "bogus"}, {"lowercase": "yes"}, {"order": "many"}, {"smooth_value": float("inf")}):
        with pytest.raises(SpecError, match="must be"):
            Bleu(**wrong)
    assert Chrf(beta=3) == METRICS.make("chrf(beta=3.0)")


@pytest.mark.parametrize("registry", [METRICS, FEATURES], ids=["metrics", "features"])
def test_a_misspelt_spec_within_a_spec_is_told_at_once(registry: Registry[Spec]) -> None:
    """Else what is kept by the facts of a metric would be kept without those of the misspelt one."""
    for name, kind in registry.working().items():
        for within in set(kind.within) & set(options(kind)):
            with pytest.raises(SpecError, match="'nope'"):
                registry.make(f"{name}({within}=nope)")
