"""Metrics that read, over tiny encoders: options, several references, notes, signatures, and models that do not fit."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.encoders import encoder, reading
from tercet.encoders.memory import VectorMemory
from tercet.encoders.tiny import write_tiny_encoder
from tercet.encoders.weights import read_weights
from tercet.errors import InputError, SpecError
from tercet.metrics.neural.comet_model import sparsemax
from tercet.metrics.neural.esim_model import untrained_weights
from tercet.sample import campaign, judgements
from tests.contract.metric_checks import OUTPUTS, REFERENCES, SEVERAL, stands_alone

SOURCES = [text[::-1] for text in REFERENCES]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return write_tiny_encoder(tmp_path_factory.mktemp("tiny") / "bert")


def cosines(folder: pathlib.Path, hyp: str, ref: str, layer: int, marks: bool) -> Any:
    """Of every token of the reference with every one of the output, in doubles."""
    read = encoder(folder).layers([hyp, ref], [layer])
    a, b = (e.vectors[0].astype(float)[slice(None) if marks else e.tokens.inner] for e in read)
    a, b = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (a, b))
    return a @ b.T


@pytest.mark.parametrize("layer", [0, 2])
@pytest.mark.parametrize("special", [False, True])
def test_bertr_is_the_mean_of_the_highest_cosines(folder: pathlib.Path, layer: int, special: bool) -> None:
    metric = tercet.metric(f'bertr(model="{folder}", layer={layer}, special={str(special).lower()})')
    scores = metric.segments(OUTPUTS, SEVERAL)
    for score, hyp, refs in zip(scores, OUTPUTS, SEVERAL, strict=True):
        every = [ref for ref in ([refs] if isinstance(refs, str) else refs) if ref or (special and ref is not None)]
        wanted = max(cosines(folder, hyp, ref, layer, special).max(0).mean() for ref in every)
        assert score == pytest.approx(wanted, abs=1e-6)


def test_parts_of_bertscore_hang_together(folder: pathlib.Path) -> None:
    p, r, f = (
        tercet.metric(f'bertscore(model="{folder}", part={part})').segments(OUTPUTS, REFERENCES) for part in "prf"
    )
    np.testing.assert_allclose(f, 2 * p * r / (p + r))
    turned = tercet.metric(f'bertscore(model="{folder}", part=p)').segments(REFERENCES, OUTPUTS)
    np.testing.assert_allclose(turned, r)


def test_a_baseline_rescales(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "baseline.tsv"
    file.write_text("LAYER,P,R,F\n0,0.1,0.2,0.3\n1,.3,.3,.3\n2,0.4,0.5,0.6\n", encoding="utf-8")
    for part, low in zip("prf", (0.4, 0.5, 0.6), strict=True):
        plain = tercet.metric(f'bertscore(model="{folder}", part={part})')
        scaled = tercet.metric(f'bertscore(model="{folder}", part={part}, baseline="{file}")')
        wanted = (plain.corpus(OUTPUTS, REFERENCES) - low) / (1 - low)
        assert scaled.corpus(OUTPUTS, REFERENCES) == pytest.approx(wanted)
        formula = scaled.explain(OUTPUTS[0], REFERENCES[0]).formula
        assert formula is not None
        assert formula.computed() == pytest.approx(formula.value)
    assert "baseline-sha256" in scaled.facts()
    file.write_text("LAYER,P,R,F\n0,0.1,0.2,0.3\n", encoding="utf-8")
    with pytest.raises(InputError, match="has no line for layer 2"):
        scaled.corpus(OUTPUTS, REFERENCES)
    file.write_text("LAYER,P,R,F\n0,a,0.2,0.3\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 2: .* is no layer"):
        scaled.corpus(OUTPUTS, REFERENCES)


READING = [
    'bertscore(model="{tiny}", idf=true)',
    'bertr(model="{tiny}")',
    'cosine(model="{tiny}", pool=max)',
    'cosine-source(model="{tiny}", pool=cls)',
    'yisi-1(model="{tiny}")',
    'yisi-2(model="{tiny}", layer=1)',
    'wmdo(model="{tiny}")',
    'comet(encoder="{tiny}")',
    'esim(encoder="{tiny}")',
    'combine(parts="bertr(model=\\"{tiny}\\")|chrf")',
]


@pytest.mark.parametrize("spec", READING, ids=lambda spec: spec.partition("(")[0])
def test_cut_texts_are_counted_and_said(spec: str, folder: pathlib.Path) -> None:
    texts = [*OUTPUTS, "word " * 100]
    scores = tercet.score({"A": texts, "B": texts}, texts, sources=texts, metrics=[spec.format(tiny=folder)])
    assert len(scores.notes) == 1
    # the text of both systems, and of the source or the reference, or of both
    assert any(f": {n} texts were longer than " in scores.notes[0] for n in (3, 4))
    assert scores.notes[0].endswith(" tokens, and cut.")
    assert tercet.score({"A": OUTPUTS}, OUTPUTS, sources=OUTPUTS, metrics=[spec.format(tiny=folder)]).notes == ()


def test_comparisons_and_agreements_say_it_too(folder: pathlib.Path) -> None:
    texts = campaign("en-de")
    systems = {name: ["word " * 100, *list(column)[1:]] for name, column in texts.systems.items()}
    some = tercet.TestSet.of(systems, list(texts.references or ()), sources=list(texts.sources or ()))
    spec = f'bertr(model="{folder}")'
    compared = tercet.compare(testset=some, metrics=[spec], samples=200)
    agreed = tercet.meta(testset=some, judgements=judgements("en-de"), metrics={"ours": spec}, samples=40)
    for notes in (compared.notes, agreed.notes):
        assert [note for note in notes if note.startswith("bertr(") and note.endswith("tokens, and cut.")]


@pytest.mark.parametrize("spec", READING, ids=lambda spec: spec.partition("(")[0])
def test_segments_stand_alone_with_an_encoder(spec: str, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_MEMORY", VectorMemory(most=0))  # everything is read anew
    stands_alone(tercet.metric(spec.format(tiny=folder)))


@pytest.mark.parametrize("spec", READING, ids=lambda spec: spec.partition("(")[0])
def test_other_weights_and_tokenizers_are_other_signatures(spec: str, tmp_path: pathlib.Path) -> None:
    def signature() -> str:
        specs = [spec.format(tiny=tiny)]
        return tercet.score({"A": OUTPUTS}, REFERENCES, metrics=specs, sources=SOURCES).records[0].signature

    tiny = write_tiny_encoder(tmp_path / "tiny")
    usual = signature()
    for fact in ("weights-sha256:", "tokenizer-sha256:", "precision:float32", "engine:onnxruntime-"):
        assert fact in usual
    assert signature() == usual
    write_tiny_encoder(tiny, variant=2)
    assert signature() != usual
    write_tiny_encoder(tiny)
    assert signature() == usual
    content = json.loads((tiny / "tokenizer.json").read_text(encoding="utf-8"))
    content["model"]["max_input_chars_per_word"] = 99
    (tiny / "tokenizer.json").write_text(json.dumps(content), encoding="utf-8")
    assert signature() != usual


def test_vectors_are_kept_in_a_folder(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    specs, kept = [f'bertr(model="{folder}")'], tmp_path / "kept"
    first = tercet.score({"A": OUTPUTS}, REFERENCES, metrics=specs, cache=kept)
    assert (kept / "vectors.sqlite").stat().st_size > 1000
    again = tercet.score({"A": OUTPUTS}, REFERENCES, metrics=specs, cache=kept)
    assert again.as_records() == first.as_records()


@pytest.mark.parametrize("name", ["bertscore", "bertr"])
def test_the_soft_alignment_is_shown(name: str, folder: pathlib.Path) -> None:
    found = tercet.metric(f'{name}(model="{folder}")').explain("a cab", "a bad")
    assert found.hypothesis == ("a", "c", "##a", "##b")
    assert found.matches[0].kind == "exact"
    assert {match.kind for match in found.matches} <= {"exact", "similar"}
    assert found.notes
    near = np.array(found.similarities)
    assert near.shape == (4, len(found.reference))
    best = near.max(axis=1) if name == "bertscore" else near.max(axis=0)
    assert [near[m.hypothesis[0], m.reference[0]] for m in found.matches] == best.tolist()
    if name == "bertr":
        assert found.score == pytest.approx(best.mean(), abs=1e-4)


def comet_folder(path: pathlib.Path, tiny: pathlib.Path, **hparams: Any) -> pathlib.Path:
    """A regression model with random weights over a tiny encoder."""
    from safetensors.numpy import save_file

    draw = np.random.default_rng(4)
    path.mkdir(exist_ok=True)
    weights = {f"encoder.model.{name}": tensor for name, tensor in read_weights(tiny).items()}
    weights |= {f"layerwise_attention.scalar_parameters.{i}": draw.normal(size=1) for i in range(3)}
    weights |= {"layerwise_attention.gamma": np.ones(1)}
    weights |= {"estimator.ff.0.weight": draw.normal(size=(1, 96)), "estimator.ff.0.bias": np.zeros(1)}
    save_file(
        {name: np.asarray(tensor, dtype=np.float32) for name, tensor in weights.items()}, path / "model.safetensors"
    )
    (path / "config.json").write_bytes((tiny / "config.json").read_bytes())
    usual = {"class_identifier": "regression_metric", "encoder_model": "BERT", "pretrained_model": "tiny"}
    lines = [f"{name}: {json.dumps(value)}\n" for name, value in (usual | hparams).items()]
    (path / "hparams.yaml").write_text("".join(lines), encoding="utf-8")
    return path


def test_of_several_references_comet_takes_the_mean(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    model = comet_folder(tmp_path / "comet", folder)
    metric = tercet.metric(f'comet(model="{model}", encoder="{folder}")')
    both = metric.segments(["a cat"], [["the cat", "a dog"]], ["eine Katze"])
    apart = [metric.segments(["a cat"], [ref], ["eine Katze"])[0] for ref in ("the cat", "a dog")]
    assert both[0] == pytest.approx(sum(apart) / 2)
    assert apart[0] != apart[1]


COMET_FAULTS: dict[str, tuple[dict[str, Any], Callable[[pathlib.Path], Any], str]] = {
    "no settings": ({}, lambda f: (f / "hparams.yaml").unlink(), "has no hparams.yaml"),
    "settings that are none": (
        {},
        lambda f: (f / "hparams.yaml").write_text("- a", encoding="utf-8"),
        "no table of names",
    ),
    "unknown pooling": ({"pool": "default"}, lambda f: None, "pools by 'default'"),
    "damaged settings": ({}, lambda f: (f / "hparams.yaml").write_text("a: [", encoding="utf-8"), "cannot be read"),
    "another class": ({"class_identifier": "mqm"}, lambda f: None, "of the class 'mqm'"),
    "another activation": ({"activations": "Mish"}, lambda f: None, "activation 'mish'"),
    "no such layer": ({"layer": 9}, lambda f: None, "asks for the layer 9"),
    "no weights": ({}, lambda f: (f / "model.safetensors").unlink(), "has no model.safetensors"),
}


@pytest.mark.parametrize("fault", COMET_FAULTS)
def test_a_faulty_comet_is_told(fault: str, folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    hparams, damage, sentence = COMET_FAULTS[fault]
    model = comet_folder(tmp_path / "comet", folder, **hparams)
    damage(model)
    with pytest.raises(InputError, match=sentence):
        tercet.metric(f'comet(model="{model}", encoder="{folder}")').segments(["a"], ["b"], ["c"])


def test_comet_says_what_it_lacks(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    model = comet_folder(tmp_path / "comet", folder)
    with pytest.raises(InputError, match="needs references, and there are none"):
        tercet.metric(f'comet(model="{model}", encoder="{folder}")').segments(["a"], sources=["c"])
    with pytest.raises(InputError, match=r"has no tokenizer\.json; it was trained with the encoder 'tiny'"):
        tercet.metric(f'comet(model="{model}")').segments(["a"], ["b"], ["c"])
    with pytest.raises(SpecError, match="model must be a folder that is there"):
        tercet.metric("comet(model=nowhere)")


def test_a_trained_esim_is_read_from_its_folder(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    from safetensors.numpy import save_file

    weights = {name: np.asarray(w, dtype=np.float32) for name, w in untrained_weights(16, 2, size=4, variant=5).items()}
    model = tmp_path / "esim"
    model.mkdir()
    save_file(weights, model / "model.safetensors")
    (model / "config.json").write_text(json.dumps({"encoder": str(folder), "max_wordpieces": 20}), encoding="utf-8")
    metric = tercet.metric(f'esim(model="{model}")')
    scores = metric.segments([*OUTPUTS, "a cat", ""], [*REFERENCES, "a cat", "a"])
    assert scores[-2] == pytest.approx(0, abs=1e-6)
    assert (scores[:-2] < 0).all()
    assert np.isnan(scores[-1])
    assert metric.corpus([*OUTPUTS, ""], [*REFERENCES, "a"]) == pytest.approx(scores[:-2].mean())
    (model / "config.json").write_text(json.dumps({"encoder": "elsewhere"}), encoding="utf-8")
    other = tercet.metric(f'esim(model="{model}", encoder="{folder}")')
    assert np.isfinite(other.segments(["a"], ["b"])).all()
    save_file({name: w for name, w in weights.items() if "gamma" not in name}, model / "model.safetensors")
    with pytest.raises(InputError, match=r"lack .*gamma"):
        other.segments(["a"], ["b"])


def test_sparsemax_is_a_distribution() -> None:
    for logits in ([0.0, 0.0], [5.0, 1.0, 0.9], [-1.0, -1.2, 3.0, 2.9]):
        shares = sparsemax(np.array(logits))
        assert shares.sum() == pytest.approx(1)
        assert (shares >= 0).all()
        assert (np.argsort(-shares, kind="stable")[0]) == int(np.argmax(logits))
