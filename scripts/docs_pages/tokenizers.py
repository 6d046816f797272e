"""The page of tokenizers."""

from __future__ import annotations

import html
from collections.abc import Iterable

from docs_pages.cards import options_table
from docs_pages.markdown import Pages, code, table
from tercet.errors import MissingExtraError
from tercet.spec import options
from tercet.text import TOKENIZERS

SENTENCES = {
    "Latin": 'Dr. O\'Neill paid $3.50 ("cheap!") for well-made tea.',
    "Cyrillic": "«Поезд в 9:30?» — спросил он.",
    "Arabic": "وصل القطار في ٩:٣٠، أليس كذلك؟",
    "Devanagari": "ट्रेन 9.30 बजे आई।",
    "Chinese": "火车9:30到达,对吗？",
    "Japanese": "電車は9時半に着きました。",
    "Korean": "기차는 9시 반에 도착했어요.",
}


def pages() -> Pages:
    """The one page of tokenizers."""
    return {"metrics/tokenizers.md": tokenizers_page}


def tokenizers_page() -> str:
    """Every tokenizer, and what it makes of a sentence in each script."""
    parts = [
        "# Tokenizers",
        "What each tokenizer does to these sentences, computed when this page was built. Choose one with the option "
        '`tokenize` of a metric, `-m "bleu(tokenize=intl)"`, or call it: `tercet.tokenizer("intl")(text)`.',
        table(["script", "sentence"], [[s, f'<span dir="auto">{t}</span>'] for s, t in SENTENCES.items()]),
    ]
    for name in TOKENIZERS:
        owner = TOKENIZERS.load(name)
        summary = owner.summary[0].upper() + owner.summary[1:]
        parts += [f"## {code(name)} {{ #{name} }}", f"{summary}.", tokens_table(name)]
        if options(owner):
            parts.append(options_table(owner))
    return "\n\n".join(parts)


def tokens_table(name: str) -> str:
    """The tokens of the sentences, each set apart."""
    tokenizer = TOKENIZERS.make(name)
    try:
        rows = [[script, marked(tokenizer(text))] for script, text in SENTENCES.items()]
    except MissingExtraError as error:
        return f"!!! note\n    Not shown here: {error}"
    return table(["script", "tokens"], rows)


def marked(tokens: Iterable[str]) -> str:
    """Tokens as code, in the direction of their script."""
    inner = " ".join(f"<code>{html.escape(token)}</code>" for token in tokens)
    return f'<span dir="auto">{inner}</span>'
