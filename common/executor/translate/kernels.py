"""Kernels: a __global__ function becomes a function that queues its own body for a launch, like nvcc's host stub.

    __global__ void k(float* x) { BODY }
    void k(float* x) { ::nbody::executor::stub([=]() mutable -> void { BODY }, "k", 0, {{"x", x}}); }

So the compiler handles overloads, templates, default arguments, packs and pointers to kernels. Reference parameters are
captured by reference: [=, &x].
"""

from common.executor.translate.source import ATTRIBUTES

BEFORE_A_POINTER = {"*", "const", "__restrict__", "__restrict", "volatile"}


def parameters_of(source, i):
    """Returns the parenthesis before the parameters of the function declared at i; None if there is none."""
    while i < len(source.words) and source.text(i) not in (";", "{", "}"):
        if source.text(i) == "(" and source.text(i - 1) not in ATTRIBUTES:
            return i
        i = source.match[i] + 1 if source.text(i) == "(" and i in source.match else i + 1
    return None


def body_of(source, parenthesis):
    """Returns the brace that opens the body after a list of parameters; None for a declaration."""
    i = source.match[parenthesis] + 1
    while i < len(source.words) and source.text(i) not in ("{", ";"):
        i = source.after(i)
    return i if source.text(i) == "{" else None


def launch_bounds(source, first, end):
    """Returns the largest number of threads that __launch_bounds__ between two places names; 0 if there is none."""
    for i in range(first, end):
        if source.text(i) == "__launch_bounds__" and source.text(i + 1) == "(":
            return source.raw(*next(source.arguments(i + 1)))
    return "0"


def references(source, parenthesis):
    """Returns how the closure captures the parameters that are references: ", &x, &rest..."."""
    captures, is_type, last = "", True, source.match[parenthesis]
    for i in range(parenthesis + 1, last):
        if source.text(i) in (",", "="):
            is_type = source.text(i) == ","  # not a default argument
        is_pack = source.text(i + 1) == "..."
        name = i + 2 if is_pack else i + 1
        is_last = source.is_name(name) and source.text(name + 1) in (",", ")", "=")
        if is_type and source.text(i) in ("&", "&&") and is_last:
            captures += f", &{source.text(name)}{'...' if is_pack else ''}"
    return captures


def pointers(source, parenthesis):
    """Returns the parameters that are declared as pointers or arrays, with their names: ', {{"x", x}}'."""
    found = []
    for first, end in source.arguments(parenthesis):
        texts = [source.text(i) for i in range(first, end)]
        texts = texts[:texts.index("=")] if "=" in texts else texts
        name = texts.index("[") - 1 if "[" in texts else len(texts) - 1
        # An argument of a template may look like a parameter: D<2 * n, 3>.
        is_plain = name > 0 and not {"(", "...", "&", "&&"} & set(texts) and texts.count("<") <= texts.count(">")
        if is_plain and source.is_name(first + name) and ("[" in texts or "*" in texts and texts[name - 1] in BEFORE_A_POINTER):
            found.append(f'{{"{texts[name]}", {texts[name]}}}')
    return f", {{{', '.join(found)}}}" if found else ""


def translate_kernels(source):
    """Wraps the bodies of all kernels. Returns the kernels' names."""
    names = set()
    for i, word in enumerate(source.words):
        if word.text != "__global__":
            continue
        parenthesis = parameters_of(source, i + 1)
        if parenthesis is None:
            source.refuse(i, "this __global__ is not in front of a function")
        name = parenthesis - 1
        if source.text(name) == ">":
            name = source.angle_back(name) - 1
        names.add(source.text(name))
        body = body_of(source, parenthesis)
        if body is None:
            continue
        first, _ = source.declaration(i)
        bounds = launch_bounds(source, first, body)
        source.words[body].after += f"::nbody::executor::stub([={references(source, parenthesis)}]() mutable -> void {{"
        source.words[source.match[body]].before += f'}}, "{source.text(name)}", {bounds}{pointers(source, parenthesis)});'
    return names
