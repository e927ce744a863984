"""Memory spaces: __shared__, __device__, __constant__ and __managed__ variables.

Shared memory is thread_local, one instance for each OS thread, which runs one block at a time (static under ASan, which
has one OS thread and watches the ends of static variables only). Variables of the device lie in a section of their own,
so that the checker knows them and the host can be kept out. Specifiers may stand in any order, so each word is replaced
where it is.
"""

from common.executor.translate.source import ATTRIBUTES
from common.executor.translate.dynamic_shared import translate_dynamic_shared

ON_DEVICE = {"__device__", "__constant__", "__managed__"}


def is_variable(source, i):
    """Whether the __device__ at i is a variable's, not a function's or a lambda's."""
    if source.text(i - 1) in ("]", ")") and source.text(source.match.get(i - 1, 0) - 1) not in ATTRIBUTES:
        return False  # [=] __device__ (int j) { }
    i += 1
    while i < len(source.words):
        text = source.text(i)
        if text == "(":
            if source.text(i - 1) not in ATTRIBUTES:
                return source.text(i + 1) == "*"  # a pointer to a function
            i = source.match[i]
        elif text == "<":
            if (i := source.angle_forward(i)) is None:
                return False
        elif text in ("=", "[", "{", ";", ","):
            return True
        elif text in ("operator", "~", "__global__", "__shared__", ")", "}", "using", "typedef"):
            return False
        i += 1
    return False


def section(source, i, whole_program):
    """What a variable of the device is declared with in place of its first qualifier."""
    first, last = source.declaration(i)
    assignment = next((k for k in range(i, last) if source.text(k) == "="), last)
    words = {source.text(k) for k in range(first, assignment)}
    if words & {"const", "constexpr", "template", "inline"} or source.in_class(i):
        # Constants lie among the program's; what several objects may define has its section from the compiler.
        return ""
    if source.in_code(i):
        return "" if "static" in words else "static"
    if "extern" in words:
        return ""
    name = "nbody_managed" if "__managed__" in words else "nbody_device"
    linkage = "" if "static" in words or whole_program else "static "
    return f'{linkage}__attribute__((used, section("{name}")))'


def translate_variable(source, i, whole_program):
    first, last = source.declaration(i)
    text = section(source, i, whole_program)
    for k in range(first, last):
        if source.text(k) in ON_DEVICE | {"__host__"}:
            source.words[k].text = ""
    source.words[i].text = text


def translate_spaces(source, asan, whole_program):
    """whole_program: variables of the device can be seen from other files, as with nvcc's -rdc=true."""
    for i, word in enumerate(source.words):
        if word.kind != "name":
            continue
        if word.text == "__shared__":
            first, last = source.declaration(i)
            words = {source.text(k) for k in range(first, last)}
            if "extern" in words:
                translate_dynamic_shared(source, first, last)
            elif source.in_code(i):
                word.text = "static" if asan else "thread_local"
            else:
                word.text = "thread_local" if "static" in words else "static thread_local"
        elif word.text in ("__constant__", "__managed__") or word.text == "__device__" and is_variable(source, i):
            translate_variable(source, i, whole_program)
        elif word.text == "__device__":
            word.text = ""
