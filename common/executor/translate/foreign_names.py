"""Refuses names that one side uses although they belong to the other. nvcc refuses them or gives them another meaning; here they
would work.

    const float weights[3] = {1, 2, 1};                          // host array: __constant__ is missing
    __global__ void k(float* x) { x[0] *= weights[1]; }

    __device__ float twice(float x) { return 2 * x; }
    int main() { apply<<<1, 1>>>(x, twice); }                    // the address of a function that no kernel can call

Only certain cases are refused, as in sides.py.
"""

from common.executor.translate.refusals import is_declared
from common.executor.translate.sides import bodies, declared_functions

NO_ARRAY_OF_THE_HOST = {"__device__", "__constant__", "__managed__", "__shared__", "constexpr", "extern", "template",
                        "typedef", "using"}


def is_product(source, i):
    """Returns whether the sign before the word at i multiplies: "+= a * x", not "T* x"."""
    begins = (";", "{", "}", "(", ",", "const", "static", "struct", "unsigned", "volatile")
    is_type = source.is_name(i - 2) and source.text(i - 3) in begins
    return source.text(i - 1) == "*" and source.in_code(i) and source.text(i - 2) not in (">", "*") and not is_type


def constant_arrays(source):
    """Returns the constant arrays of the host, outside of functions and classes, whose names have no other meaning."""
    declarations = {}
    for i, word in enumerate(source.words):
        if word.kind != "name" or not is_declared(source, i) or is_product(source, i):
            continue
        is_array = source.text(i + 1) == "[" and not source.in_code(i) and not source.in_class(i)
        first = source.declaration(i)[0] if is_array else i
        words = {source.text(k) for k in range(first, i)}
        declarations.setdefault(word.text, []).append("const" in words and not words & NO_ARRAY_OF_THE_HOST)
    return {name for name, found in declarations.items() if found == [True]}


def refuse_constants_of_the_host(source, sides):
    arrays = constant_arrays(source)
    for side, caller, first, last in bodies(source, sides) if arrays else ():
        for k in range(first, last):
            is_used = source.text(k) in arrays and source.text(k + 1) == "["
            is_other = source.text(k - 1) in (".", "->", "::") or source.text(k - 2) in ("sizeof", "decltype")
            if side == "device" and is_used and not is_other:
                source.refuse(k, f"{caller}() is a device function and uses the array {source.text(k)}, which is a host "
                              "array: put __constant__ before its declaration")


def argument_places(source, first, last):
    """Yields the words that are an argument each of a launch between two places."""
    for i in range(first, last):
        if [source.text(i + k) for k in range(4)] == [">", ">", ">", "("] and i + 3 in source.match:
            for k in range(i + 4, source.match[i + 3]):
                if source.text(k - 1) in ("(", ",") and source.text(k + 1) in (",", ")"):
                    yield k


def refuse_functions_of_the_device(source, sides):
    for side, _, first, last in bodies(source, sides) if "device" in sides.values() else ():
        for k in argument_places(source, first, last) if side == "host" else ():
            if sides.get(source.text(k)) == "device":
                source.refuse(k, f"host code cannot take an address of {source.text(k)}() that a kernel can call: copy it "
                              "from a __device__ variable with cudaMemcpyFromSymbol(), or make it a template argument")


def refuse_names_of_the_other_side(source):
    sides = declared_functions(source)
    refuse_constants_of_the_host(source, sides)
    refuse_functions_of_the_device(source, sides)
