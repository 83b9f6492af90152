"""How hard a secret that a person chose is to guess."""

import math
import re
from itertools import pairwise
from typing import Final

LEAST_BITS: Final = 128
WORD_BITS: Final = math.log2(7776)
"""Of a word of a passphrase, as lists of words for dice have them."""
LETTERS_PER_WORD: Final = 5
"""Words may be written together."""
SHORTEST_WORDS: Final = 4
"""Letters on average: between other characters a random secret has fewer."""
BY_CHANCE: Final = 4
"""Characters of a row or repetition that a random secret may have."""
WORDS: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])")
NUMBERS: Final = re.compile(r"\d+")
HEXADECIMAL: Final = 16
_ALPHABETS: Final = (("0123456789", 10), ("0123456789abcdef", HEXADECIMAL), ("0123456789ABCDEF", HEXADECIMAL))


def entropy_bits(secret: str) -> float:
    """How many bits a secret has at most: by its words where it is of words, else by its characters.

    Words are those that separators, digits or capitals tell apart; one that comes again counts once. A character counts
    by the alphabet that the secret is of, and not at all where it continues a row such as `aaa` or `456`, or repeats
    three characters that came before.

    >>> [round(entropy_bits(text)) for text in ("0" * 40, "correct horse battery staple", "Password" * 5)]
    [20, 65, 21]
    >>> [round(entropy_bits(text)) for text in ("correcthorsebatterystaple", "MySuperSecretAdminPassword2026!")]
    [65, 88]
    >>> [round(entropy_bits(text)) for text in ("9f86d081884c7d659a2feaa0c55ad015", "tmDrxo9GzkvWyqAbqS_e9A")]
    [128, 132]
    """
    by_characters = _fresh_characters(secret) * math.log2(_alphabet(secret))
    words = [word.lower() for word in WORDS.findall(secret)]
    if not words or _alphabet(secret) <= HEXADECIMAL or len("".join(words)) < SHORTEST_WORDS * len(words):
        return by_characters
    letters = sum(max(1.0, len(word) / LETTERS_PER_WORD) for word in {*words})
    digits = sum(map(len, {*NUMBERS.findall(secret)}))
    return min(by_characters, letters * WORD_BITS + digits * math.log2(10))


def _alphabet(secret: str) -> int:
    for characters, size in _ALPHABETS:
        if {*secret} <= {*characters}:
            return size
    if not secret.isascii() or not all(character.isalnum() or character in "-_+/=" for character in secret):
        return 94
    has_both_cases = secret.lower() != secret and secret.upper() != secret
    return 64 if has_both_cases else 36


def _fresh_characters(secret: str) -> int:
    stale, digests = 0, set[str]()
    for index in range(len(secret)):
        three = secret[max(0, index - 2) : index + 1]
        steps = {ord(after) - ord(before) for before, after in pairwise(three)}
        is_row = len(three) == 3 and len(steps) == 1 and steps <= {-1, 0, 1}
        stale += is_row or three in digests
        if len(three) == 3:
            digests.add(three)
    return len(secret) - max(0, stale - BY_CHANCE)
