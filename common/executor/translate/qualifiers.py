"""Translates CUDA's additions to declarations, which C++ writes differently or does not have."""

from common.executor.translate.launches import STATEMENT_WORDS

DROPPED = {"__global__", "__host__", "__grid_constant__"}
# Texts that replace a CUDA word at the start of a declaration.
BEGUN = {"", "static", "thread_local", "static thread_local"}
DROPPED_WITH_ARGUMENTS = {"__launch_bounds__", "__maxnreg__"}


def translate_alignment(source, i):
    """Uses GNU's attribute, because alignas() may not stand in all places that CUDA allows."""
    first, last = source.words[i + 1], source.words[source.match[i + 1]]
    if source.text(i) == "alignas" and source.is_name(i + 2):  # perhaps a type: alignas(T)
        begin, _ = source.declaration(i)
        source.words[begin].before += source.raw(i, source.match[i + 1] + 1) + " "  # behind a mark of the place
        return source.blank(i, source.match[i + 1] + 1)
    source.words[i].text = "__attribute__"
    first.text = "((aligned("
    last.text = ")))"
    return None


def is_late_alignas(source, i):
    """Returns whether alignas() follows another specifier, where g++ does not allow it: __shared__ alignas(16) float x;"""
    before = source.text(i - 1)
    return source.text(i) == "alignas" and (before in BEGUN or before.endswith("))"))


def is_alignment(source, i):
    return source.text(i) in ("__align__", "__builtin_align__") or is_late_alignas(source, i)


def is_inline_already(source, i):
    words = {source.text(k) for k in range(max(0, i - 6), i + 7)}
    return bool(words & {"inline", "__inline__", "__inline"})


def is_declared(source, i):
    return source.is_name(i - 1) and source.text(i - 1) not in STATEMENT_WORDS


def is_clock(source, i):
    """Returns whether this is a call of the C library's clock(), which in a kernel is the device's."""
    is_call = source.text(i + 1) == "(" and source.text(i + 2) == ")"
    return is_call and source.text(i - 1) not in (".", "->", "::") and not is_declared(source, i)


def printf_begin(source, i):
    """Returns the first word of a call of the C library's printf(), ::printf() or std::printf(); None if it is none."""
    begin = i
    if source.text(i - 1) == "::":
        begin = i - 2 if source.text(i - 2) == "std" else i - 1
    is_other = source.text(begin - 1) in (".", "->", "::") or is_declared(source, begin)
    return None if source.text(i + 1) != "(" or is_other else begin


def translate_qualifiers(source):
    for i, word in enumerate(source.words):
        if word.kind != "name":
            continue
        if word.text in DROPPED:
            word.text = ""
        elif word.text in DROPPED_WITH_ARGUMENTS and source.text(i + 1) == "(":
            source.blank(i, source.match[i + 1] + 1)
        elif is_alignment(source, i) and source.text(i + 1) == "(":
            translate_alignment(source, i)
        elif word.text == "__forceinline__":
            word.text = "__attribute__((always_inline))" + ("" if is_inline_already(source, i) else " inline")
        elif word.text == "__noinline__":
            word.text = "__attribute__((noinline))"
        elif word.text == "clock" and is_clock(source, i):
            word.text = "::nbody::executor::deviceOrHostClock"
        elif word.text == "printf" and (begin := printf_begin(source, i)) is not None:
            source.blank(begin, i)
            word.text = "::nbody::executor::deviceOrHostPrintf"
