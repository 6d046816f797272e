"""Every registered tokenizer, plugins and aliases among them, keeps the contract."""

from collections.abc import Callable

import pytest

from tercet.errors import MissingExtraError
from tercet.spec import options
from tercet.text import TOKENIZERS, Tokenizer
from tests.conftest import absent
from tests.contract import tokenizer_checks
from tests.text.models import small_model


@pytest.mark.parametrize("check", tokenizer_checks.CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", [*TOKENIZERS, *TOKENIZERS.aliases])
def test_tokenizer(name: str, check: Callable[[Tokenizer], None]) -> None:
    try:
        model = "model" in options(TOKENIZERS.load(name))
        check(TOKENIZERS.make(f'{name}(model="{small_model()}")' if model else name))
    except MissingExtraError as error:
        absent(f"{name} needs something that is not installed: {error}")


def test_the_registry_is_not_empty() -> None:
    assert {"13a", "intl", "zh", "char", "none", "moses"} <= set(TOKENIZERS)


@pytest.mark.parametrize("name", [*TOKENIZERS])
def test_the_name_is_the_registered_one(name: str) -> None:
    assert TOKENIZERS.load(name).name == name
    assert str(TOKENIZERS.make(name)) == name
