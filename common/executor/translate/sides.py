"""Refuses calls that nvcc refuses: of a host function by the device, and the other way round. They would run here.

Only certain cases are refused: functions of a namespace, no templates, whose name has no other meaning in the program.
"""

import re

from common.executor.translate.kernels import body_of, parameters_of
from common.executor.translate.launches import STATEMENT_WORDS, is_open
from common.executor.translate.refusals import is_declared

NO_TYPES = STATEMENT_WORDS | {"new", "extern", "sizeof", "alignof", "delete", "operator", "throw", "and", "or", "not"}
NO_PLAIN_FUNCTION = {"template", "constexpr", "consteval", "operator", "using", "typedef", "friend"}
SIDES = {frozenset(): "host", frozenset({"__host__"}): "host", frozenset({"__device__"}): "device"}


def declared_functions(source, not_plain=NO_PLAIN_FUNCTION, names=None):
    """Returns the sides of each name's declarations, or of some names: "host", "device", or None if it is not certain."""
    sides = {}
    for i, word in enumerate(source.words):
        if word.kind != "name" or names is not None and word.text not in names:
            continue
        if not is_declared(source, i) or source.text(i - 1) == "return":
            continue
        if source.in_code(i) and source.text(i - 1) in ("*", "&", "&&"):
            continue  # a product instead of a pointer
        first, _ = source.declaration(i)
        before = {source.text(k) for k in range(first, i)}
        is_plain = (source.is_call(i) and not source.in_code(i) and not source.in_class(i) and not before & not_plain
                    and source.text(source.match[i + 1] + 1) in ("{", ";", "noexcept"))
        side = SIDES.get(frozenset(before & {"__host__", "__device__", "__global__"})) if is_plain else None
        sides.setdefault(word.text, set()).add(side)
    return {name: found.pop() for name, found in sides.items() if len(found) == 1}


def bodies(source, sides):
    """Yields (side, name, first and last word of its body) of the functions that belong to one side."""
    for i, word in enumerate(source.words):
        if source.in_code(i):
            continue
        if word.text in ("__global__", "__device__"):
            first, _ = source.declaration(i)
            parenthesis = parameters_of(source, i + 1)
            if not parenthesis or "__host__" in {source.text(k) for k in range(first, parenthesis)}:
                continue
            side = "device"
        elif sides.get(word.text) == "host" and source.text(i + 1) == "(":
            parenthesis, side = i + 1, "host"
        else:
            continue
        if (body := body_of(source, parenthesis)) and body in source.match:
            yield side, source.text(parenthesis - 1), body, source.match[body]


def refuse_variable_lengths(source):
    """Refuses `float a[n]` in device code if n is a parameter or a variable. g++ allows it, and nvcc does not."""
    for _, _, first, last in bodies(source, {}):
        begin = next(k for k in range(first, -1, -1) if source.text(k) == "(" and source.match.get(k, 0) > k
                     and body_of(source, k) == first)
        varies = {source.text(k) for k in range(begin + 1, source.match[begin])
                  if source.is_name(k) and source.text(k + 1) in (",", ")", "=") and source.is_name(k - 1)}
        for i in range(first + 1, last):
            declares = source.is_name(i) and source.is_name(i - 1) and source.text(i - 1) not in NO_TYPES
            if declares and source.text(i + 1) in ("=", ";"):
                words = {source.text(k) for k in range(source.declaration(i)[0], i)}
                if not words & {"const", "constexpr", "static", "__shared__", "using", "typedef", "struct"} and len(words) < 4:
                    varies.add(source.text(i))
            elif declares and source.text(i + 1) == "[" and i + 1 in source.match:
                close = source.match[i + 1]
                named = [source.text(k) for k in range(i + 2, close) if source.is_name(k) and source.text(k - 1) not in (".", "->")]
                found = next((name for name in named if name in varies and "sizeof" not in named), None)
                if found and source.text(close + 1) in (";", ",", "=", "["):
                    source.refuse(i, f"the length of the array {source.text(i)} must be a constant, but {found} is a variable: "
                                  "declare the array with the largest length, or let the host allocate it")


def launched_names(source):
    """Yields the places of names before a <<<: of k in k<<<, and in k<T><<<."""
    for i in range(1, len(source.words)):
        if is_open(source, i):
            angle = source.angle_back(i - 1) if source.text(i - 1) == ">" else None
            yield i - 1 if angle is None else angle - 1


def refuse_launches_of_other_functions(source):
    places = list(launched_names(source))
    sides = declared_functions(source, NO_PLAIN_FUNCTION - {"template"}, {source.text(k) for k in places})
    for k in places:
        name = source.text(k)
        if sides.get(name) and source.text(k - 1) not in (".", "->", "::"):
            source.refuse(k, f"{name}() is not a kernel: declare it with __global__" +
                          (" instead of __device__" if sides[name] == "device" else ""))


def refuse_calls_of_the_other_side(source):
    refuse_launches_of_other_functions(source)
    sides = declared_functions(source)
    headers = None
    for side, caller, first, last in bodies(source, sides):
        called = [k for k in range(first, last) if sides.get(source.text(k), side) not in (side, None)
                  and source.text(k + 1) == "(" and source.text(k - 1) not in (".", "->", "::")]
        # A lambda may belong to the device; an expression that is not evaluated may belong to either side.
        if not called or {"__device__", "decltype", "sizeof", "noexcept"} & {source.text(k) for k in range(first, last)}:
            continue
        headers = headers or source.headers()
        for k in called:
            name = source.text(k)
            if not re.search(rf"\b{name}\s*\(", headers):
                other = sides[name]
                source.refuse(k, f"{caller}() is a {side} function and calls {name}(), which is a {other} function"
                              + (": put __device__ before it" if other == "host" else ""))
