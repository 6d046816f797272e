"""The subtree kernel over trees of discourse: against pieces counted one by one, by hand, and what it refuses."""

import itertools
import math
import pathlib
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.errors import InputError, SpecError
from tercet.formats.brackets import PhraseNode
from tercet.metrics import metric
from tercet.metrics.parsed.rst import RstKernel

REF, HYP = "cats sleep he said", "cats sleep she said"
TREES = f"""# text = {REF}
(Root:Attribution (Nucleus:Span (EDU cats sleep)) (Satellite:Attribution (EDU he said)))
# text = {HYP}
(Root:Joint (Nucleus:Span (EDU cats sleep)) (Nucleus:Joint (EDU she said)))
"""


def rooted(node: PhraseNode) -> Iterator[str]:
    """Every piece that begins at a node, written down; a word hangs on a node of its own, and a bare node is none."""
    if node.is_word:
        yield f"(WORD {node.label})"
        return
    choices = [[f"{'WORD' if c.is_word else c.label}", *rooted(c)] for c in node.children]
    for below in itertools.product(*choices):
        yield f"({node.label} {' '.join(below)})"


def pieces(node: PhraseNode) -> Counter[str]:
    """Every piece of a tree, and how often it has it."""
    return sum(map(pieces, node.children), Counter(rooted(node)))


TREE = st.recursive(
    st.sampled_from("ab").map(PhraseNode),
    lambda below: st.builds(PhraseNode, st.sampled_from("AB"), st.lists(below, min_size=1, max_size=2).map(tuple)),
    max_leaves=5,
).filter(lambda tree: not tree.is_word)


@given(TREE, TREE)
def test_all_pieces_in_common_are_counted(one: PhraseNode, other: PhraseNode) -> None:
    how = RstKernel()
    counts = pieces(one), pieces(other)
    common = sum(counts[0][piece] * counts[1][piece] for piece in counts[0])
    kernel = how.kernel(how.flattened(one), how.flattened(other))
    assert math.exp(kernel) == pytest.approx(common)


@pytest.fixture
def trees(tmp_path: pathlib.Path) -> str:
    """Two trees of discourse."""
    path = tmp_path / "a.rst"
    path.write_text(TREES, encoding="utf-8")
    return str(path)


def test_forms_by_hand(trees: str) -> None:
    def score(form: str, more: str = "") -> float:
        return float(metric(f'rst(parses="{trees}", form={form}{more})').segments([HYP], [REF])[0])

    # both have two units, four pairs, and the span over one, alone or with its unit; of its own each has these four,
    # two nodes over units twice, and the root with nine choices below it
    assert score("plain") == score("relation") == pytest.approx(6 / 17)
    # two nuclei of the one with that of the other, and of its own four pairs of them
    assert score("nuclearity") == pytest.approx(8 / math.sqrt(21 * 17))
    assert score("shape") == pytest.approx(1.0)
    assert 0 < score("lexical") < 1
    assert score("lexical", ", decay=0.2") > score("lexical")  # small pieces are more often in common


def test_units_references_and_copies(trees: str) -> None:
    how = metric("rst")
    assert how.segments(["", "a b", ""], ["", "a b", "a"]).tolist() == pytest.approx([0.0, 1.0, 0.0])
    assert how.segments(["a b"], [["c", "b a", "a b"]])[0] == pytest.approx(1.0)
    long = " ".join(map(str, range(1900)))
    assert how.segments([long], [long])[0] == pytest.approx(1.0)  # of 2 to the 1900 pieces
    assert metric(f'rst(parses="{trees}")').explain(HYP, REF).score < 1


def test_what_cannot_be_is_refused(trees: str) -> None:
    with pytest.raises(InputError, match="has no tree of the text 'x'"):
        metric(f'rst(parses="{trees}")').segments(["x"], [REF])
    with pytest.raises(InputError, match="more than 5000 nodes"):
        metric("rst").segments(["a " * 6000], ["b"])
    with pytest.raises(SpecError, match="decay must be above 0, at most 1"):
        metric("rst(decay=0)")
