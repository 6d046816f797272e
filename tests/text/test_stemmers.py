"""Stemmers: METEOR's own stems of real words and of made-up ones, and what may be asked of any stemmer."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from tercet import kernels
from tercet.errors import InputError
from tercet.text.stemmers import LANGUAGES, stem
from tests.conftest import absent
from tests.text.test_golden import table

# Letters that a language has beyond a to z, and endings that together lead into every rule.
MADE_OF = {
    "en": (
        "'Y",
        "' 's 's' sses ied ies s us ss eed eedly ed edly ing ingly y tional enci izer ational alism ousli iveness "
        "biliti ogi lessli li alize icate ful ness ative ance ement ion e ll bb at bl iz",
    ),
    "fr": (
        "éèêâîôûùàëïçqUIY",
        "ance atrice logie usion ence ement ité if eaux aux euse issement amment emment ment iv eus abl ièr abil ic at "
        "îmes issons it ions ées eraIent aIent assiez e ion ière ë s y enn eill et",
    ),
    "es": (
        "áéíóúüñ",
        "me selas los iéndo ár iendo ir yendo anza adora logía ución encia amente mente idad iva ic ad os able abil iv "
        "at yamos emos aremos ieron gu e o",
    ),
    "de": ("äöüßuy", "e em ern s en est st end ung ig ik isch lich heit keit er"),
    "ru": (
        "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
        "в вшись ив ывши ее ыми ого ем нн ющ ивш ся сь ла йте нно ила уют ю а иями ий ием ь и ост ость ейше н нн",
    ),
    "pt": (
        "áéíóúâêôãõç~",
        "eza ação ações ução ução logía ución ência amente mente idade iva ira os iv at ante avel abil ic ariam "
        "ássemos ou gue cie a e ç ã",
    ),
    "da": ("æåø", "hed erendes et s gd dt kt igst lig els løst ig bb nn"),
    "ro": (
        "âîăşţIU",
        "ul aua ele iilor ile abile atei aţia abilitate ivităţi icator ativă iţiune itor ată oşi ităţi iune aţiune "
        "iştii ism işti ească ără userăm em seseră a ie ui",
    ),
    "hu": (
        "áéíóöőõúüűû",
        "al el bb ccs ggy ban val tól tõl höz képpen ként n t á é én ánként astul éstül ástul aké éké áéi ünk ájuk éd "
        "ja o jaim áink itek eik ök ák ék",
    ),
    "tr": (
        "çğıöşü",
        "ler lar leri ları miz müz m n ı i u ü nı nun na de ta nda den ndan la yla ki ca nce ım sin iz sunuz nuz dir "
        "casına ken tım duk di sa ysa miş muş ad soyad b c ğ",
    ),
    "fi": (
        "äö",
        "kin kään ko han pa sti si ni kse nsa mme an än en ta ssa llä lle hen siin seen den tten n aan ien a tta ta "
        "ksi ine mpi mmä impa eja i j t mma imma po oj uj jo ii kk tt",
    ),
    "nl": ("äáëéïíöóüúèYI", "heden en ene gemen s se e heid ing end ig eig lijk baar bar aan eel kk dd tt ij"),
    "it": (
        "àèìòùáéíóúqIU",
        "ci gliela vene ando er anza azione logia uzione enza amento amente ità ivo iv at ic abil os erebbero iscono "
        "are uta i o ch gh",
    ),
    "no": ("æåø", "a hetene ende s ks erte ert dt vt leg elig els hetslov slov"),
    "se": ("äåö", "a heterna andet s dd gt nn lig els löst fullt ast"),
}


@pytest.mark.parametrize(
    ("language", "word", "wanted"),
    [
        ("en", "generously", "generous"),
        ("en", "sensational", "sensat"),
        ("en", "skies", "sky"),
        ("en", "yearly's", "year"),
        ("fr", "continuellement", "continuel"),
        ("es", "comprándoselos", "compr"),
        ("de", "ergebnisse", "ergebniss"),
        ("de", "wählerinnen", "wahlerinn"),
        ("ru", "берёзовый", "берёзов"),
        ("pt", "nações", "naçõ"),
        ("da", "undersøgelserne", "undersøg"),
        ("ro", "naţionalităţii", "naţional"),
        ("hu", "kertbõl", "kert"),
        ("hu", "kertből", "kertből"),
        ("tr", "kitapçılarımızdan", "kitapçı"),
        ("fi", "taloihin", "talo"),
        ("fi", "huoneeseen", "huonees"),
        ("nl", "waarschijnlijkheden", "waarschijn"),
        ("it", "abbandonatamente", "abbandonat"),
        ("no", "havnedistriktene", "havnedistrikt"),
        ("se", "jaktkarlarne", "jaktkarl"),
    ],
)
def test_stems_of_meteor(language: str, word: str, wanted: str) -> None:
    assert stem([word], language) == [wanted]


@pytest.mark.parametrize("language", ["en", "de", "fi", "ru"])
def test_stems_of_real_text(shared: pathlib.Path, language: str) -> None:
    rows = table(shared / "golden" / "stems" / f"{language}.tsv.gz")
    differing = [
        row["word"]
        for row, found in zip(rows, stem([r["word"] for r in rows], language), strict=True)
        if found != row["stem"]
    ]
    # The table was made by METEOR's program `Stemmer`, which leaves numbers alone. Its matcher does not.
    assert [word for word in differing if not re.fullmatch(r"[\d,.-]+", word)] == []
    assert ("1000" in differing) == (language == "fi")
    assert len(rows) > 3000


def made_up_words(language: str, count: int) -> list[str]:
    """Words of a few letters and endings."""
    draw = np.random.default_rng(list(language.encode()))
    letters, endings = MADE_OF[language]
    alphabet = list(letters * 2 + ("" if language == "ru" else "aaeeiioouuybcdfghjklmnpqrstvwxz"))
    starts = ("".join(draw.choice(alphabet, draw.integers(7))) for _ in range(count))
    return [start + "".join(draw.choice(endings.split(), draw.integers(1, 5))) for start in starts]


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_made_up_words_by_meteors_own_stemmer(language: str) -> None:
    found = importlib.util.find_spec("pycocoevalcap")
    if found is None or not found.submodule_search_locations or shutil.which("java") is None:
        absent("METEOR's jar (package pycocoevalcap) or java is not there")
    jar = pathlib.Path(found.submodule_search_locations[0]) / "meteor" / "meteor-1.5.jar"
    words = made_up_words(language, 5000)
    command = ["java", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", str(jar), "Stemmer", language]
    plain = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}  # no sanitizer in Java
    text = "\n".join(words) + "\n"
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=True, env=plain)
    wanted = done.stdout.split("\n")[:-1]
    assert len(set(wanted)) > 1000
    found_stems = stem(words, language)
    assert [w for w, a, b in zip(words, found_stems, wanted, strict=True) if a != b] == []


def test_porters_own_stemmer() -> None:
    """As NLTK has it with the changes of Porter's own program; words of letters only, since it lower-cases."""
    nltk = PorterStemmer(mode=PorterStemmer.MARTIN_EXTENSIONS)
    words = [word.lower() for word in made_up_words("en", 3000)] + [
        "",
        "y",
        "is",
        "ion",
        "aed",
        "öffö",
        "éééed",
        "𝒜ing",
    ]
    stems = kernels.unpack(kernels.stem(kernels.pack(words), "porter", 1))
    assert [(word, ours) for word, ours in zip(words, stems, strict=True) if ours != nltk.stem(word)] == []
    assert len(set(stems)) > 500


@given(
    words=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12)), language=st.sampled_from(LANGUAGES)
)
def test_any_text_has_stems(words: list[str], language: str) -> None:
    stems = stem(words, language)
    assert len(stems) == len(words)
    assert stems == [stem([word], language)[0] for word in words]
    assert kernels.unpack(kernels.stem(kernels.pack(words), language, 3)) == stems


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_too_long_for_a_word_is_its_own_stem(language: str) -> None:
    ending = MADE_OF[language][1].split()[-1]
    words = ["lerdeki" * 100_000, "ß" * 1000 + ending, "ß" * (1000 - len(ending)) + ending]
    stems = stem(words, language)
    assert stems[:2] == words[:2]
    assert len(stems[2]) <= 2000


def test_no_words() -> None:
    assert stem([], "en") == []


def test_unknown_language() -> None:
    with pytest.raises(InputError, match=r"no stemmer for 'cs'.*") as raised:
        stem(["slovo"], "cs")
    assert "en, fr, es" in str(raised.value.hint)
    with pytest.raises(ValueError, match="no choice called cs"):
        kernels.stem(kernels.pack(["slovo"]), "cs", 1)
