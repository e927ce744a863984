"""Variables of the device as arguments of copies and fills: on the device they have other addresses than host code sees.

    cudaMemcpy(&sum, &total, ...)  becomes  cudaMemcpy(&sum, ::nbody::executor::hostAddress(&total), ...)

The address is the same here, so that only the words tell.
"""

import re

CALL = re.compile(r"cudaMem(cpy|set)(2D)?(Async)?")
ON_DEVICE = {"__device__", "__constant__"}


def declared(source):
    """{name: whether it is an array} of the device's variables outside of functions and classes."""
    found = {}
    for i, word in enumerate(source.words):
        if word.text not in ON_DEVICE or source.in_code(i) or source.in_class(i):
            continue
        first, last = source.declaration(i)
        if "__managed__" in {source.text(k) for k in range(first, last)}:
            continue
        for k in range(first, last):  # and names in initial values, which no copy is given
            if source.is_name(k) and source.text(k + 1) in ("[", "=", ";", "{", ","):
                found[source.text(k)] = source.text(k + 1) == "["
    return found


def arguments(source, opening):
    """(first, end) of each argument of the call whose bracket opens there."""
    first = i = opening + 1
    while i <= source.match[opening]:
        if source.text(i) == "," or i == source.match[opening]:
            yield first, i
            first = i + 1
        i = source.match[i] + 1 if source.text(i) in ("(", "[", "{") and i in source.match else i + 1


def translate_symbol_arguments(source):
    """To be called before the qualifiers are translated."""
    arrays = declared(source)
    for i, word in enumerate(source.words):
        if not CALL.fullmatch(word.text) or source.text(i + 1) != "(" or i + 1 not in source.match:
            continue
        for first, end in arguments(source, i + 1):
            name = end - 1
            if source.text(name) not in arrays:
                continue
            has_sign = source.text(name - 1) == "&"
            start = name - 1 if has_sign else name
            # Behind a cast, or alone.
            if (start == first or source.text(start - 1) == ")") and (has_sign or arrays[source.text(name)]):
                source.words[start].before += "::nbody::executor::hostAddress("
                source.words[name].after += ")"
