"""Turns in loops that may wait for another thread: loops without a body, and loops that read volatile memory. The threads of a
block run in turn, so such a loop must let the others run.

    while (*flag == 0) ;     becomes  while (*flag == 0) takeTurns();
"""

import re

VOLATILE = re.compile(r"\b(ld|st)\.(volatile|acquire|relaxed|release)\b")
X = "::nbody::executor::"
ENDS = (";", "=", ",", ")", "[", "{")


def volatile_names(source):
    """Returns the names of volatile variables and members."""
    names = set()
    for i, word in enumerate(source.words):
        if word.text != "volatile":
            continue
        k = i + 1
        while k < len(source.words) and source.text(k) not in ENDS:
            k += 1
        while source.is_name(k - 1):  # and of the others in the same declaration
            names.add(source.text(k - 1))
            while source.text(k) in ("[", "{") and k in source.match:
                k = source.match[k] + 1
            if source.text(k) != "," or not source.is_name(k + 1) or source.text(k + 2) not in ENDS:
                break
            k += 2
    return names - {"volatile"}


def translate_waits(source, places):
    """places: of the same source, which knows functions and loops."""
    names, called = volatile_names(source), set()

    def reads_volatile(first, last):
        return any(source.text(i) in names or source.text(i) == "volatile"
                   or source.text(i) in called and source.text(i + 1) == "("
                   or source.words[i].kind == "string" and VOLATILE.search(source.text(i)) for i in range(first, last + 1))

    bodies = [body for body in places.bodies.values() if body.words & {"__device__", "__global__", "lambda"}]
    before = -1
    while len(called) != before:
        before = len(called)
        called |= {body.name for body in bodies if body.name not in called and reads_volatile(body.first, body.last)} - {""}
    for body in bodies:
        for loop in places.loops_of(body):
            begin = loop.begin
            is_empty = source.text(begin) == ";" or source.text(begin) == "{" and source.match.get(begin) == begin + 1
            if loop.kind == "" or not is_empty and not reads_volatile(loop.first, loop.last):
                continue
            if source.text(begin) == "{":
                source.words[begin].after += f" {X}takeTurns();"
            else:
                source.words[begin].before += f" {X}takeTurns()" if is_empty else f"if (!{X}takeTurns()) {{}} else "
