"""Encoders: texts to the vectors of their tokens, layer by layer, without torch.

    encoder(where)     a folder (config.json, tokenizer.json, safetensors), an ONNX file beside its tokenizer, or the
                       name of one that an installed package carries
    .layers(texts)     each text's tokens with their vectors of the layers asked for

architecture   config.json of BERT, RoBERTa and XLM-R: what shapes the network
weights        safetensors, by the names that all families share
graph          the network as an ONNX graph of ours, every layer an output
tokens         tokenizer.json, and what the slow tokenizers do otherwise; cutting to what the encoder reads
reading        batches of texts of one length through onnxruntime; vectors kept in memory, and in a folder if asked
surroundings   a folder that keeps vectors, and who hears of the reading
packages       encoders that packages carry, with their versions and checksums
checkpoints    .ckpt files of COMET as folders, the one place for torch
tiny           an encoder of random weights, for trying out and for tests

Texts of one batch have one length: nothing is padded, so that a text's vectors are the same bits in any company. The
extra `neural`; nothing heavy is imported before a text is read.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
