"""Calls of the runtime, which need more information about the program than C++ passes on.

    cudaMalloc((void**)&x, n)  becomes  cudaMalloc(::nbody::executor::addressOfPointer(&x), n)
The cast is removed, so that the checker learns the type of the elements.

    cudaMemcpy(&sum, &total, ...)  becomes  cudaMemcpy(&sum, ::nbody::executor::hostAddress(&total), ...)
On a GPU a device variable has another address than host code sees. Here both are the same, so only the source text shows the use.

    cudaMemcpy(...);  becomes  ::nbody::executor::ignored(cudaMemcpy(...), "cudaMemcpy");
A call that is a whole statement ignores its result, so the runtime reports its error.
"""

import re

ALLOCATION = re.compile(r"cuda(Malloc(Pitch|Async|Managed|Host|FromPoolAsync)?|HostAlloc)")
POINTER = "::nbody::executor::addressOfPointer"
COPY = re.compile(r"cudaMem(cpy|set)(2D)?(Async)?")
ON_DEVICE = {"__device__", "__constant__"}
API = re.compile(r"\bcudaError_t (cuda[A-Z]\w*)\(")
# Functions whose result is the error of others.
ASKS = {"cudaGetLastError", "cudaPeekAtLastError"}


def translate_allocations(source):
    for i, word in enumerate(source.words):
        if not ALLOCATION.fullmatch(word.text) or not source.is_call(i):
            continue
        first, end = next(source.arguments(i + 1))
        cast = [source.text(k) for k in range(first, end)]
        if cast[:5] == ["(", "void", "*", "*", ")"]:
            source.blank(first, first + 5)
            source.words[first].text = POINTER + "("
            source.words[end - 1].after += ")"
        elif cast[:6] == ["reinterpret_cast", "<", "void", "*", "*", ">"]:
            source.blank(first, first + 6)
            source.words[first].text = POINTER


def declared(source):
    """Returns {name: whether it is an array} of device variables outside of functions and classes."""
    found = {}
    for i, word in enumerate(source.words):
        if word.text not in ON_DEVICE or source.in_code(i) or source.in_class(i):
            continue
        first, last = source.declaration(i)
        if "__managed__" in {source.text(k) for k in range(first, last)}:
            continue
        for k in range(first, last):  # also finds names in initial values, which no copy gets
            if source.is_name(k) and source.text(k + 1) in ("[", "=", ";", "{", ","):
                found[source.text(k)] = source.text(k + 1) == "["
    return found


def translate_symbol_arguments(source):
    """Must be called before the qualifiers are translated."""
    arrays = declared(source)
    for i, word in enumerate(source.words):
        if not COPY.fullmatch(word.text) or not source.is_call(i):
            continue
        for first, end in source.arguments(i + 1):
            name = end - 1
            if source.text(name) not in arrays:
                continue
            has_sign = source.text(name - 1) == "&"
            start = name - 1 if has_sign else name
            # After a cast, or alone.
            if (start == first or source.text(start - 1) == ")") and (has_sign or arrays[source.text(name)]):
                source.words[start].before += "::nbody::executor::hostAddress("
                source.words[name].after += ")"


def begins_statement(source, i):
    before = source.text(i - 1)
    if before == ")":
        return source.text(source.match.get(i - 1, 0) - 1) in ("if", "for", "while", "switch")
    return before in (";", "{", "}", "else", "do", ":")


def translate_discarded(source):
    """Translates only functions that the executor's headers declare, because a program may have others with such names."""
    headers = [token.text for token in source.all if token.kind == "marker" and "cudaError_t cuda" in token.text]
    known = {name for text in headers for name in API.findall(text)} - ASKS
    for i, word in enumerate(source.words):
        if word.text not in known or source.text(i + 1) != "(" or not source.in_code(i):
            continue
        last = source.match.get(i + 1)
        first = i - 1 if source.text(i - 1) == "::" else i
        if last and source.text(last + 1) == ";" and begins_statement(source, first):
            source.words[first].before += "::nbody::executor::ignored("
            source.words[last].after += f', "{word.text}")'
