"""Kernels by address: a cast that forgets a kernel's parameters, `(void*)k`, also remembers how to call it.

    ::nbody::executor::kernelAddress(k)
"""

# Functions whose first argument is a kernel; a pointer to a kernel may be cast there too.
TAKE_KERNELS = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel", "cudaFuncGetAttributes", "cudaFuncSetAttribute",
                "cudaFuncSetCacheConfig", "cudaFuncSetSharedMemConfig"}
CASTS = {"static_cast", "reinterpret_cast"}


def is_void_pointer(source, first, end):
    return "".join(sorted(source.text(k) for k in range(first, end))) in ("*void", "*constvoid")


def whole_name(source, i):
    """Returns the first and last position of the qualified name that contains word i, with its template's arguments."""
    first = i
    while source.text(first - 1) == "::":
        first -= 1
        if source.text(first - 1) == ">" and source.angle_back(first - 1) is not None:
            first = source.angle_back(first - 1) - 1
        elif source.is_name(first - 1):
            first -= 1
    last = i
    if source.text(i + 1) == "<" and source.angle_forward(i + 1) is not None:
        last = source.angle_forward(i + 1)
    return first, last


def wrap(source, first, kernel, last, end):
    """Replaces the cast, which is from first up to end, with the kernel's words."""
    source.blank(first, kernel)
    source.blank(last + 1, end)
    source.words[kernel].before = "::nbody::executor::kernelAddress(" + source.words[kernel].before
    source.words[last].after += ")"


def translate_cast(source, first, last):
    """Translates the cast to void* of the words from first to last, if there is one."""
    kernel = first
    if source.text(first - 1) == "&":
        first -= 1
    parenthesised = source.text(first - 1) == "(" and source.match.get(first - 1) == last + 1
    before = source.text(first - 2)
    if parenthesised and before == ">":
        angle = source.angle_back(first - 2)
        if angle and source.text(angle - 1) in CASTS and is_void_pointer(source, angle + 1, first - 2):
            wrap(source, angle - 1, kernel, last, last + 2)
        return
    end = last + 1
    if parenthesised:
        first, end = first - 1, last + 2
    if source.text(first - 1) == ")" and first - 1 in source.match:
        opening = source.match[first - 1]
        if is_void_pointer(source, opening + 1, first - 1):
            wrap(source, opening, kernel, last, end)


def translate_addresses(source, kernels):
    for i, word in enumerate(source.words):
        if word.kind != "name":
            continue
        if word.text in kernels:
            translate_cast(source, *whole_name(source, i))
        elif word.text in TAKE_KERNELS and source.text(i + 1) == "(" and source.text(i + 2) == "(":
            k = source.match[i + 2] + 1  # after the cast
            if source.is_name(k) and source.text(k) not in kernels and source.text(k + 1) in (",", ")"):
                translate_cast(source, k, k)
