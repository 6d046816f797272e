"""Pieces of a SentencePiece model: those of the library, and BLEU over them that of sacreBLEU."""

from __future__ import annotations

import pathlib
import shutil
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_spm import TokenizerSPM

import tercet
from tercet.errors import InputError, MissingExtraError, SpecError
from tercet.text import spm, tokenizer
from tests.contract.metric_checks import OUTPUTS, REFERENCES
from tests.text.models import small_model

NAMES = ("spm", "flores101", "flores200", "spBLEU-1K")


def sacrebleus(model: pathlib.Path) -> TokenizerSPM:
    """sacreBLEU's tokenizer with a model of ours in the place of the one that it would download."""
    import sentencepiece

    made = TokenizerSPM.__new__(TokenizerSPM)
    made.name = "flores101"
    made.sp = sentencepiece.SentencePieceProcessor()
    made.sp.Load(str(model))
    return made


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(text=TEXT | st.sampled_from([*OUTPUTS, *REFERENCES, "", " ", "a  b ", "\u3000x\u00a0y", "ｆｕｌｌ ｗｉｄｔｈ"]))
def test_pieces_are_those_of_sacrebleu(text: str) -> None:
    expected = sacrebleus(small_model())(text.rstrip()).split()
    for name in NAMES:
        assert tokenizer(f'{name}(model="{small_model()}")')(text) == expected


@pytest.mark.parametrize("lowercase", [False, True])
def test_bleu_over_pieces_is_that_of_sacrebleu(lowercase: bool) -> None:
    theirs = BLEU(tokenize="none", lowercase=lowercase)
    theirs.tokenizer = sacrebleus(small_model())
    expected = theirs.corpus_score(OUTPUTS, [REFERENCES])
    ours = tercet.metric(f'bleu(tokenize=spm(model="{small_model()}"), lowercase={str(lowercase).lower()})')
    assert ours.corpus(OUTPUTS, REFERENCES) == pytest.approx(expected.score, rel=1e-12)


def test_the_signature_says_what_is_in_the_model(tmp_path: pathlib.Path) -> None:
    signatures = []
    for size in (200, 180):
        shutil.copy(small_model(size), tmp_path / "a.model")
        metric = f'bleu(tokenize=spm(model="{tmp_path}/a.model"))'
        signatures.append(tercet.score({"A": OUTPUTS}, REFERENCES, metrics=metric).records[0].signature)
    assert all("|tokenize-model-sha256:" in one for one in signatures)
    assert signatures[0] != signatures[1]


@pytest.mark.parametrize("name", NAMES)
def test_without_a_model(name: str) -> None:
    with pytest.raises(MissingExtraError, match="needs a model, and none is named") as caught:
        tokenizer(name)("x")
    assert caught.value.hint == f'Name its file: {name}(model="FILE.model").'


def test_what_is_no_model(tmp_path: pathlib.Path) -> None:
    with pytest.raises(SpecError, match="spm: model must be a file that is there, not nowhere"):
        tokenizer("spm(model=nowhere.model)")
    (tmp_path / "words").write_text("the\ncat\n", encoding="utf-8")
    with pytest.raises(InputError, match="words is no SentencePiece model"):
        tokenizer(f'spm(model="{tmp_path}/words")')("x")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    model = small_model()
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    spm._processor.cache_clear()
    with pytest.raises(MissingExtraError, match=r"needs the package sentencepiece, .*tercet\[spm\]"):
        tokenizer(f'spm(model="{model}")')("x")
