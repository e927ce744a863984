"""Results that nobody looks at: a call that is a statement of its own tells the runtime so, which reports its error.

    cudaMemcpy(...);  becomes  ::nbody::executor::ignored(cudaMemcpy(...));
"""

import re

API = re.compile(r"\bcudaError_t (cuda[A-Z]\w*)\(")
# Their result is the error of others.
ASKS = {"cudaGetLastError", "cudaPeekAtLastError"}


def begins_statement(source, i):
    before = source.text(i - 1)
    if before == ")":
        return source.text(source.match.get(i - 1, 0) - 1) in ("if", "for", "while", "switch")
    return before in (";", "{", "}", "else", "do", ":")


def translate_discarded(source):
    """Of the functions that the executor's headers have; a program may have others of such names."""
    headers = [token.text for token in source.all if token.kind == "marker" and "cudaError_t cuda" in token.text]
    known = {name for text in headers for name in API.findall(text)} - ASKS
    for i, word in enumerate(source.words):
        if word.text not in known or source.text(i + 1) != "(" or not source.in_code(i):
            continue
        last = source.match.get(i + 1)
        first = i - 1 if source.text(i - 1) == "::" else i
        if last and source.text(last + 1) == ";" and begins_statement(source, first):
            source.words[first].before += "::nbody::executor::ignored("
            source.words[last].after += ")"
