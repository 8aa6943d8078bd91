"""Byte-level BPE: GPT-2's byte alphabet, Llama 3's pre-tokenizer, merges learned from the text."""

import collections
import re

SPECIAL_TOKENS = ["<|begin_of_text|>", "<|end_of_text|>"]
PATTERN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
# Python's re has no \p; on ASCII this is the same.
ASCII_PATTERN = re.compile(PATTERN.replace(r"[^\r\n\p{L}\p{N}]", "[^\\r\\na-zA-Z0-9]").replace(r"[^\s\p{L}\p{N}]", r"[^\sa-zA-Z0-9]")
                           .replace(r"\p{L}", "[a-zA-Z]").replace(r"\p{N}", "[0-9]"))


def byte_alphabet():
    """Byte to printable character: printable bytes stand for themselves, the others follow from U+0100."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    alphabet = {byte: chr(byte) for byte in printable}
    for byte in range(256):
        if byte not in alphabet:
            alphabet[byte] = chr(256 + len(alphabet) - len(printable))
    return alphabet


class Tokenizer:

    def __init__(self, text, vocab_size):
        self.characters = byte_alphabet()
        self.bytes = {character: byte for byte, character in self.characters.items()}
        self.merges = self._learn(text, vocab_size - len(self.characters) - len(SPECIAL_TOKENS))
        self.vocab = {character: i for i, character in enumerate(self.characters.values())}  # ids 0..255 as in Llama 3
        for left, right in self.merges:
            self.vocab[left + right] = len(self.vocab)
        self.pieces = {i: piece for piece, i in self.vocab.items()}
        self.bos, self.eos = len(self.vocab), len(self.vocab) + 1
        self._ranks = {merge: rank for rank, merge in enumerate(self.merges)}
        self._known = {}

    def encode(self, text):
        return [i for word in ASCII_PATTERN.findall(text) for i in self._encode_word(word)]

    def decode(self, ids):
        characters = (character for i in ids if i in self.pieces for character in self.pieces[i])
        return bytes(self.bytes[character] for character in characters).decode("utf-8", "replace")

    def _spell(self, word):
        return [self.characters[byte] for byte in word.encode()]

    def _encode_word(self, word):
        if word not in self._known:
            pieces = self._spell(word)
            while len(pieces) > 1:
                rank, at = min((self._ranks.get(pair, len(self._ranks)), i) for i, pair in enumerate(zip(pieces, pieces[1:])))
                if rank == len(self._ranks):
                    break
                pieces[at:at + 2] = [pieces[at] + pieces[at + 1]]
            self._known[word] = [self.vocab[piece] for piece in pieces]
        return self._known[word]

    def _learn(self, text, merge_count):
        words = [[self._spell(word), count] for word, count in collections.Counter(ASCII_PATTERN.findall(text)).items()]
        pair_counts, words_with = collections.Counter(), collections.defaultdict(set)
        for index, (pieces, count) in enumerate(words):
            for pair in zip(pieces, pieces[1:]):
                pair_counts[pair] += count
                words_with[pair].add(index)
        merges = []
        for _ in range(merge_count):
            best = max(pair_counts.items(), key=lambda item: (item[1], item[0]))[0]
            merges.append(best)
            for index in list(words_with[best]):
                pieces, count = words[index]
                for pair in zip(pieces, pieces[1:]):
                    pair_counts[pair] -= count
                words[index][0] = merged = merge(pieces, best)
                for pair in zip(merged, merged[1:]):
                    pair_counts[pair] += count
                    words_with[pair].add(index)
            del pair_counts[best], words_with[best]
        return merges

    def huggingface(self):
        """What goes into tokenizer.json."""
        bos = SPECIAL_TOKENS[0]
        special = [{"id": self.bos + i, "content": token, "single_word": False, "lstrip": False, "rstrip": False,
                    "normalized": False, "special": True} for i, token in enumerate(SPECIAL_TOKENS)]
        byte_level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
        template = {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": bos, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [{"SpecialToken": {"id": bos, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                     {"SpecialToken": {"id": bos, "type_id": 1}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {bos: {"id": bos, "ids": [self.bos], "tokens": [bos]}}}
        return {
            "version": "1.0", "truncation": None, "padding": None, "added_tokens": special, "normalizer": None,
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": PATTERN}, "behavior": "Isolated", "invert": False},
                {**byte_level, "add_prefix_space": False, "use_regex": False}]},
            "post_processor": {"type": "Sequence", "processors": [{**byte_level, "trim_offsets": False}, template]},
            "decoder": byte_level,
            "model": {
                "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
                "fuse_unk": False, "byte_fallback": False, "ignore_merges": True, "vocab": self.vocab,
                "merges": [f"{left} {right}" for left, right in self.merges]}}


def merge(pieces, pair):
    merged, i = [], 0
    while i < len(pieces):
        if tuple(pieces[i:i + 2]) == pair:
            merged.append(pieces[i] + pieces[i + 1])
            i += 2
        else:
            merged.append(pieces[i])
            i += 1
    return merged
