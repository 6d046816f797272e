"""ARPA files in the forms in which programs write them, and what KenLM's query (PyPI kenlm 0.3.0) gives for texts."""

from __future__ import annotations

# SRILM's ngram-count: a blank line first, blanks after =, tabs around the words, -99 for what cannot be, back-offs
# only where something follows, no <unk>, unigrams by name
SRILM = """
\\data\\
ngram 1=        7
ngram 2=        6
ngram 3=        2

\\1-grams:
-0.8450980\t</s>
-99\t<s>\t-0.4771213
-1.146128\tboat\t-0.2341082
-0.8450980\tthe\t-0.3521825
-1.146128\tferry
-1.322219\tleaves\t-0.1249387
-99\tnever

\\2-grams:
-0.30103\t<s> the\t0.0969100
-0.60206\tthe boat\t-0.1760913
-0.60206\tthe ferry
-0.1760913\tboat leaves
-0.1249387\tleaves </s>
-99\tthe never

\\3-grams:
-0.1760913\t<s> the boat
-0.1249387\tboat leaves </s>

\\end\\
"""

# lmplz: <unk> first, <s> with a probability of 1, a back-off of 0 for what ends a sentence, digits as of a float
LMPLZ = """\\data\\
ngram 1=6
ngram 2=5

\\1-grams:
-1.2430381\t<unk>\t0
0\t<s>\t-0.30103
-0.70757014\t</s>\t0
-0.6269653\tthe\t-0.22184873
-0.8450981\tboat\t-0.30102998
-9.9995e-01\tleaves\t-0.30103

\\2-grams:
-0.3010300\t<s> the
-0.45593196\tthe boat
-0.2218487\tboat leaves
-1.7609125e-1\tleaves </s>
-1.5\tthe </s>

\\end\\
"""

# other programs: words before \\data\\, blanks for tabs, a carriage return, <UNK>, an order without n-grams
OTHERS = """made by a program
\\data\\\r
ngram  1 = 5\r
ngram 2=2\r
ngram 3=0\r
\r
\\1-grams:\r
-1.5 <UNK>\r
-99 <s> -0.3\r
 -1.1 </s>\r
-0.9   the   -0.4\r
-1.2 boat\r
\r
\\2-grams:\r
-0.5 <s> the -0.1\r
-0.25 the boat\r
\r
\\3-grams:\r
\r
\\end\\\r
"""

# the same as KenLM, which takes none of these liberties, wants it
STRICT = """\\data\\
ngram 1=5
ngram 2=2

\\1-grams:
-1.5\t<unk>
-99\t<s>\t-0.3
-1.1\t</s>
-0.9\tthe\t-0.4
-1.2\tboat

\\2-grams:
-0.5\t<s> the
-0.25\tthe boat

\\end\\
"""

FORMS = {"srilm": SRILM, "lmplz": LMPLZ, "strict": STRICT}
TEXTS = ("the boat leaves", "the ferry leaves", "the never boat", "", "boat", "an old boat", "the the the")

# log10 of whole sentences, text by text
KENLM_OF_FORMS = {
    "srilm": (
        -0.9542425870895386,
        -2.2533376216888428,
        -101.42945861816406,
        -1.3222193717956543,
        -2.702455520629883,
        -202.70245361328125,
        -3.795961380004883,
    ),
    "lmplz": (
        -1.1549019813537598,
        -2.941957950592041,
        -3.619615077972412,
        -1.008600115776062,
        -2.1547281742095947,
        -4.640804290771484,
        -3.4986581802368164,
    ),
    "strict": (
        -3.3499999046325684,
        -5.0,
        -4.700000286102295,
        -1.4000000953674316,
        -2.5999999046325684,
        -5.599999904632568,
        -4.599999904632568,
    ),
}

# the first translations of the example's test set, by a model of four words of train.pe
KENLM_OF_EXAMPLE = (
    -15.14909839630127,
    -9.355631828308105,
    -39.803794860839844,
    -10.378022193908691,
    -7.148895263671875,
    -14.882526397705078,
    -7.1587629318237305,
    -6.186964988708496,
    -61.07712936401367,
    -9.027925491333008,
    -8.48049545288086,
    -3.7952020168304443,
)
