"""Kernels by address: a cast that forgets a kernel's parameters, `(void*)k`, also remembers how to call it.

    ::nbody::executor::kernelAddress(k)
"""

# Functions that take a kernel, and which argument it is. A pointer to a kernel may be cast there too.
TAKE_KERNELS = {"cudaLaunchKernel": 0, "cudaLaunchCooperativeKernel": 0, "cudaLaunchKernelExC": 1,
                "cudaFuncGetAttributes": 1, "cudaFuncSetAttribute": 0, "cudaFuncSetCacheConfig": 0,
                "cudaFuncSetSharedMemConfig": 0, "cudaOccupancyMaxActiveBlocksPerMultiprocessor": 1,
                "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags": 1,
                "cudaOccupancyAvailableDynamicSMemPerBlock": 1, "cudaOccupancyMaxPotentialBlockSize": 2,
                "cudaOccupancyMaxPotentialBlockSizeWithFlags": 2, "cudaOccupancyMaxPotentialBlockSizeVariableSMem": 2}
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


def translate_argument(source, kernels, first, end):
    """Removes the cast of an argument that is a kernel's address in a variable: `(void*)f`, `reinterpret_cast<void*>(f)`."""
    if source.text(first) == "(" and first in source.match:
        type_first, type_end = first + 1, source.match[first]
        kernel, last = type_end + 1, end - 1
    elif source.text(first) in CASTS and (angle := source.angle_forward(first + 1)) and source.text(angle + 1) == "(":
        type_first, type_end = first + 2, angle
        kernel, last = angle + 2, source.match[angle + 1] - 1
    else:
        return
    names = {source.text(k) for k in range(kernel, last + 1)}
    if is_void_pointer(source, type_first, type_end) and kernel <= last and not names & kernels:
        wrap(source, first, kernel, last, end)


def translate_addresses(source, kernels):
    for i, word in enumerate(source.words):
        if word.kind != "name":
            continue
        if word.text in kernels:
            translate_cast(source, *whole_name(source, i))
        elif word.text in TAKE_KERNELS and source.is_call(i):
            arguments = list(source.arguments(i + 1))
            if len(arguments) > TAKE_KERNELS[word.text]:
                translate_argument(source, kernels, *arguments[TAKE_KERNELS[word.text]])
