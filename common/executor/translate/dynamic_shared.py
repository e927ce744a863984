"""Dynamic shared memory: `extern __shared__ float tile[];` becomes a reference to the block's bytes.

    auto& tile = ::nbody::executor::dynamicShared<float[]>("tile");

A declaration outside of functions becomes such a line in each device function that uses the name.
"""

from common.executor.translate.kernels import body_of, parameters_of

DROPPED = {"extern", "__shared__", "__device__", "static"}
ALIGNMENTS = {"__align__", "__attribute__", "alignas", "__builtin_align__"}


def declarators(source, first, last):
    """Returns the type's words, and (name, extents) of each declared array."""
    type_words, arrays, i = [], [], first
    while i < last:
        text = source.text(i)
        if text in ALIGNMENTS:
            i = source.match[i + 1]
        elif text == "<" and source.angle_forward(i) is not None:
            last_argument = source.angle_forward(i)
            type_words.append(source.raw(i, last_argument + 1))
            i = last_argument
        elif source.text(i + 1) == "[" and source.is_name(i):
            end = i + 1
            while source.text(end) == "[":
                end = source.match[end] + 1
            arrays.append((text, source.raw(i + 1, end)))
            i = end
            if source.text(i) not in (",", ";") and source.text(i) not in ALIGNMENTS:
                return type_words, None
            continue
        elif text not in DROPPED and text != ",":
            if arrays or text in ("(", "="):
                return type_words, None
            type_words.append(text)
        i += 1
    return type_words, arrays


def reference(type_words, name, extents):
    return (f'[[maybe_unused]] auto& {name} = ::nbody::executor::dynamicShared<{" ".join(type_words)} '
            f'{extents}>("{name}");')


def translate_dynamic_shared(source, first, last):
    type_words, arrays = declarators(source, first, last)
    if not arrays or not type_words:
        source.refuse(first, "this extern __shared__ does not declare an array: write extern __shared__ float name[];")
    in_code = source.in_code(first)
    references = [reference(type_words, *array) for array in arrays]
    source.blank(first, last)
    if in_code:
        source.words[last - 1].text = " ".join(references)[:-1]
        return
    for (name, _), line in zip(arrays, references):
        for body in bodies_that_say(source, name, last):
            # Opens a separate block, because the function may declare the name again.
            end = source.words[source.match[body]]
            source.words[body].after += line + " {"
            end.before = "}" + end.before


def bodies_that_say(source, name, begin):
    """Yields the bodies of device functions after begin that use a name, which is not one of their parameters."""
    for i in range(begin, len(source.words)):
        if source.text(i) not in ("__global__", "__device__") or source.in_code(i):
            continue
        if source.text(i) == "__device__" and "__global__" in (source.text(i + 1), source.text(i - 1)):
            continue
        parenthesis = parameters_of(source, i + 1)
        body = parenthesis and body_of(source, parenthesis)
        if not body:
            continue
        is_said = any(source.text(k) == name for k in range(body, source.match[body]))
        if is_said and all(source.text(k) != name for k in range(parenthesis, body)):
            yield body
