"""Memory spaces: __shared__, __device__, __constant__ and __managed__ variables.

Shared memory is thread_local: one instance per OS thread, which runs one block at a time. Device variables are in a separate section, so that the
checker knows them and they can be closed to the host. If an attribute cannot do this, nvcc/sections.py does. Specifiers may be
in any order, so each word is replaced in its place.
"""

import re

from common.executor.translate.source import ATTRIBUTES
from common.executor.translate.dynamic_shared import translate_dynamic_shared

MOST_SHARED, MOST_CONSTANT = 48 << 10, 64 << 10  # bytes
ON_DEVICE = {"__device__", "__constant__", "__managed__"}


def begins_value(source, i):
    """Returns whether a bracket before i has values in it, such as (3), and no parameters of a function."""
    return (source.words[i].kind in ("number", "char", "string") or
            source.text(i) in ("-", "+", "!", "~", "sizeof", "true", "false", "nullptr"))


def is_variable(source, i):
    """Returns whether the __device__ at i belongs to a variable, not to a function or a lambda."""
    if source.text(i - 1) in ("]", ")") and source.text(source.match.get(i - 1, 0) - 1) not in ATTRIBUTES:
        return False  # [=] __device__ (int j) { }
    i += 1
    while i < len(source.words):
        text = source.text(i)
        if text == "(":
            if source.text(i - 1) not in ATTRIBUTES:
                return source.text(i + 1) == "*" or begins_value(source, i + 1)  # a pointer to a function, or a value
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


def declared_names(source, i, last):
    """Returns the names that a declaration up to a semicolon declares. Its qualifier is at i."""
    k, is_value = i + 1, False
    while k < last:
        if (source.is_name(k) and source.text(k) not in ATTRIBUTES and not is_value
                and source.text(k + 1) in ("[", "=", ";", "{", ",", "(")):
            yield source.text(k)
        is_value = source.text(k) == "=" or is_value and source.text(k) != ","
        if source.text(k) in ("(", "[", "{"):
            k = source.match[k]
        elif source.text(k) == "<" and not is_value:  # the arguments of a template are no variables
            k = source.angle_forward(k) or k
        k += 1


def section(source, i, whole_program, unplaced):
    """Returns the text that replaces the first qualifier of a device variable's declaration."""
    first, last = source.declaration(i)
    assignment = next((k for k in range(i, last) if source.text(k) == "="), last)
    words = {source.text(k) for k in range(first, assignment)}
    if words & {"const", "constexpr"} or source.in_class(i):
        return ""  # constants are among the program's
    if source.in_code(i):
        return "" if "static" in words else "static"
    name = "nbody_managed" if "__managed__" in words else "nbody_device"
    specialises = source.text(first) == "template" and source.text(first + 2) == ">"
    if words & {"template", "inline"} and not specialises:  # in several objects: the compiler chooses a section
        unplaced.update((name, declared) for declared in declared_names(source, i, last))
        return ""
    if "extern" in words:
        return ""
    linkage = "" if "static" in words or whole_program or specialises else "static "
    return f'{linkage}__attribute__((used, section("{name}")))'


def translate_variable(source, i, whole_program, unplaced):
    first, last = source.declaration(i)
    text = section(source, i, whole_program, unplaced)
    for k in range(first, last):
        if source.text(k) in ON_DEVICE | {"__host__"}:
            source.words[k].text = ""
    source.words[i].text = text


def limit_size(source, i, last):
    """Makes the compiler refuse a variable that is larger than a GPU allows, at the line of its declaration."""
    what, most = ((f"__shared__ variable: at most {MOST_SHARED} bytes; for more, use extern __shared__ and the third "
                   "launch argument", MOST_SHARED) if source.text(i) == "__shared__" else
                  (f"__constant__ variable: at most {MOST_CONSTANT} bytes", MOST_CONSTANT))
    arrays = [name for name in declared_names(source, i, last) if f"{name}[" in source.raw(i, last).replace(" ", "")]
    for name in arrays:
        source.words[last].after += f' static_assert(sizeof({name}) <= {most}, "{name} is too large for a {what}");'


def mark_constants(source, i, first, last):
    """Declares a second variable for each __constant__ variable. Its name tells the checker that the first is constant."""
    if not source.in_code(i) and "template" not in source.raw(first, i):
        source.words[last].after += "".join(f" static __attribute__((used)) const char nbody_constant_of_{name} = 0;"
                                            for name in declared_names(source, i, last))


def refuse_initialiser(source, i, last):
    for k in range(i + 1, last):
        defines = {"struct", "class", "union", "enum"} & {source.text(k - 1), source.text(k - 2)}
        if source.text(k) == "=" or source.text(k) == "{" and source.is_name(k - 1) and not defines:
            source.refuse(k, "a __shared__ variable has no initialiser: let one thread assign the value, and then call "
                          "__syncthreads()")
        if source.text(k) in ("(", "[", "{"):
            return


def encloses(source, brace, i):
    """Returns whether the word at i is in this brace's scope."""
    scope = source.scope[i]
    while scope is not None and scope != brace:
        scope = source.scope[scope]
    return scope == brace


def alignment(source, i, last, earlier):
    """Returns an attribute that aligns a shared array as it is on a GPU, where nvcc places the variables one after the other in the
    order of their declarations. So an array of half is often at a multiple of 16, and the kernel may read it as float4.

    earlier: [(scope, name)] of the shared variables before it.
    """
    names = list(declared_names(source, i, last))
    place = next((k for k in range(i + 1, last) if names and source.text(k) == names[0]), last)
    words = [source.text(k) for k in range(source.declaration(i)[0], place)]
    of_type = " ".join(word for word in words if word not in ("__shared__", "static", "volatile", "const"))
    visible = [name for scope, name in earlier if name not in names and encloses(source, scope, i)]
    earlier += [(source.scope[i], name) for name in names]
    if source.text(place + 1) != "[" or not re.fullmatch(r"[\w: ]+", of_type) or {"auto", "alignas", "__align__"} & set(words):
        return ""
    offset = "0u"
    for name, size in [*((f"decltype({name})", f" + sizeof({name})") for name in visible), (of_type, "")]:
        offset = f"(({offset} + alignof({name}) - 1) / alignof({name}) * alignof({name}){size})"
    return f" __attribute__((aligned({offset} % 16 ? {offset} & -{offset} : 16)))"


def translate_spaces(source, whole_program, unplaced):
    """Translates the variables.

    whole_program: device variables can be seen from other files, as with nvcc's -rdc=true; unplaced: receives {(section, name)}
    of the variables that nvcc/sections.py must put there.
    """
    earlier = []
    for i, word in enumerate(source.words):
        if word.kind != "name":
            continue
        if word.text == "__shared__":
            first, last = source.declaration(i)
            words = {source.text(k) for k in range(first, last)}
            if "extern" in words:
                translate_dynamic_shared(source, first, last)
                continue
            refuse_initialiser(source, i, last)
            limit_size(source, i, last)
            aligned = alignment(source, i, last, earlier) if source.in_code(i) else ""
            # "used" keeps a store if nothing reads the variable: the checker is to see it.
            storage = "thread_local" if "static" in words or source.in_code(i) else "static thread_local"
            word.text = f"{storage} __attribute__((used)){aligned}"
            continue
        if word.text == "__constant__" and not source.in_class(i):
            first, last = source.declaration(i)
            mark_constants(source, i, first, last)
            limit_size(source, i, last)
        if word.text in ("__constant__", "__managed__") or word.text == "__device__" and is_variable(source, i):
            translate_variable(source, i, whole_program, unplaced)
        elif word.text == "__device__":
            word.text = ""
