"""Byte-level BPE with CLIP's structure ('</w>' suffix, lower case, digits apart), trained on our own captions.

Ids: 256 byte symbols, the same 256 with '</w>', one a merge, then <|startoftext|> and <|endoftext|> (the largest id).
"""
import json
import re
import unicodedata
from collections import Counter

CONTEXT = 77
# Python's re has no \p{L}; [^\W\d_] is the same set for letters, and digits go one by one.
WORD = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d|[^\W\d_]+|\d|(?:[^\s\w]|_)+")


def byte_symbols():
    """GPT-2's printable stand-in for each byte, as every byte-level tokenizer uses it."""
    printable = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    table, extra = {}, 0
    for byte in range(256):
        if byte in printable:
            table[byte] = chr(byte)
        else:
            table[byte] = chr(256 + extra)
            extra += 1
    return table


BYTES = byte_symbols()


def words(text):
    text = re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).lower()
    return ["".join(BYTES[byte] for byte in word.encode()) for word in WORD.findall(text)]


def train(corpus, merges):
    """corpus: Counter of texts. Most frequent pair first, ties by the pair itself: the same corpus gives the same file."""
    counts = Counter()
    for text, weight in corpus.items():
        for word in words(text):
            counts[word] += weight
    spelled = {word: [*word[:-1], word[-1] + "</w>"] for word in counts}
    learned = []
    while len(learned) < merges:
        pairs = Counter()
        for word, symbols in spelled.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] += counts[word]
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        if pairs[best] < 2:
            break
        learned.append(best)
        for word, symbols in spelled.items():
            if best[0] in symbols:
                spelled[word] = merge(symbols, best)
    return learned


def merge(symbols, pair):
    out, at = [], 0
    while at < len(symbols):
        if at + 1 < len(symbols) and symbols[at] == pair[0] and symbols[at + 1] == pair[1]:
            out.append(pair[0] + pair[1])
            at += 2
        else:
            out.append(symbols[at])
            at += 1
    return out


class Tokenizer:
    def __init__(self, merges):
        self.merges = [tuple(pair) for pair in merges]
        self.rank = {pair: index for index, pair in enumerate(self.merges)}
        symbols = sorted(BYTES.values(), key=ord)
        tokens = symbols + [s + "</w>" for s in symbols] + [a + b for a, b in self.merges]
        self.ids = {}
        for token in tokens:
            # Two merges may spell the same token; the first id is kept so that ids stay without gaps.
            self.ids.setdefault(token, len(self.ids))
        self.bos = len(self.ids)
        self.eos = self.bos + 1
        self.size = self.eos + 1
        self.cache = {}

    def word_ids(self, word):
        known = self.cache.get(word)
        if known is None:
            symbols = [*word[:-1], word[-1] + "</w>"]
            while len(symbols) > 1:
                pair = min(zip(symbols, symbols[1:]), key=lambda p: self.rank.get(p, 1 << 30))
                if pair not in self.rank:
                    break
                symbols = merge(symbols, pair)
            known = self.cache[word] = [self.ids[s] for s in symbols]
        return known

    def encode(self, text):
        """Token ids with start and end token, at most 77; a cut caption keeps its end token."""
        ids = [i for word in words(text) for i in self.word_ids(word)]
        return [self.bos, *ids[: CONTEXT - 2], self.eos]

    def save(self, path):
        special = lambda index, content: {"id": index, "content": content, "single_word": False, "lstrip": False,
                                          "rstrip": False, "normalized": False, "special": True}
        vocab = {**self.ids, "<|startoftext|>": self.bos, "<|endoftext|>": self.eos}
        document = {
            "version": "1.0", "truncation": None, "padding": None,
            "added_tokens": [special(self.bos, "<|startoftext|>"), special(self.eos, "<|endoftext|>")],
            "normalizer": {"type": "Sequence", "normalizers": [
                {"type": "NFC"}, {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}, {"type": "Lowercase"}]},
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": "'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+"},
                 "behavior": "Removed", "invert": True},
                {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}]},
            "post_processor": {"type": "RobertaProcessing", "sep": ["<|endoftext|>", self.eos],
                               "cls": ["<|startoftext|>", self.bos], "trim_offsets": False, "add_prefix_space": False},
            "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True},
            "model": {"type": "BPE", "dropout": None, "unk_token": "<|endoftext|>", "continuing_subword_prefix": "",
                      "end_of_word_suffix": "</w>", "fuse_unk": False, "vocab": vocab,
                      "merges": [f"{a} {b}" for a, b in self.merges]},
        }
        with open(path, "w", encoding="utf8") as file:
            json.dump(document, file, ensure_ascii=False, separators=(",", ":"))
            file.write("\n")


def load(path):
    with open(path, encoding="utf8") as file:
        return Tokenizer([tuple(pair.split(" ")) for pair in json.load(file)["model"]["merges"]])
