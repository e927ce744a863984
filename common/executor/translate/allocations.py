"""Allocations: the cast of their first argument goes, so that the checker learns what type the elements have.

    cudaMalloc((void**)&x, n)  becomes  cudaMalloc(::nbody::executor::addressOfPointer(&x), n)
"""

import re

from common.executor.translate.symbol_arguments import arguments

CALL = re.compile(r"cuda(Malloc(Pitch|Async|Managed|Host|FromPoolAsync)?|HostAlloc)")
POINTER = "::nbody::executor::addressOfPointer"


def translate_allocations(source):
    for i, word in enumerate(source.words):
        if not CALL.fullmatch(word.text) or source.text(i + 1) != "(" or i + 1 not in source.match:
            continue
        first, end = next(arguments(source, i + 1))
        cast = [source.text(k) for k in range(first, end)]
        if cast[:5] == ["(", "void", "*", "*", ")"]:
            source.blank(first, first + 5)
            source.words[first].text = POINTER + "("
            source.words[end - 1].after += ")"
        elif cast[:6] == ["reinterpret_cast", "<", "void", "*", "*", ">"]:
            source.blank(first, first + 6)
            source.words[first].text = POINTER
