"""sacreBLEU's tokenizers, each in the module where sacreBLEU has it: a line in, a line of tokens out.

>>> from tercet.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
>>> Tokenizer13a()("Hello, world!")
'Hello , world !'

Those of MeCab and of SentencePiece are not here, but `tercet.tokenizer` has them: `ja-mecab`, `spm(model=FILE)`.
"""
