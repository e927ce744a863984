"""Inline PTX: each asm statement becomes the C++ of its instructions (ptx.py). An instruction without a translation is an error
when it is compiled, unless nothing needs it.

    asm("add.u32 %0, %1, 2;" : "=r"(x) : "r"(y));   becomes
    ({ auto& nbody0 = x; const auto nbody1 = y; ... })
"""

import re

from common.executor.translate.ptx import Assembly, Unsupported

PTX = re.compile(r"\b[a-z][a-z0-9]*(\.[a-z0-9_:]+)+\b|\bexit\s*;|\btrap\s*;|\bbrkpt\s*;|@\w+\s")
RAW = re.compile(r'R"([^()\\\s]{0,16})\((.*)\)\1"', re.S)
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "\n": ""}
REFUSAL = "the CPU executor does not run this inline PTX: "


def content(literal):
    """Returns the text of a string literal."""
    if raw := RAW.fullmatch(literal):
        return raw[2]
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], " "), literal[1:-1], flags=re.S)


def operands(source, first, last):
    """Returns [(constraint, expression)] of operands such as "=r"(expression)."""
    return [(source.text(i - 1), source.raw(i + 1, source.match[i])) for i in range(first, last)
            if source.text(i) == "(" and source.words[i - 1].kind == "string"]


def marked(code, is_extended):
    """Returns the code with #3 for operand 3 and $ before names with a percent sign."""
    if not is_extended:
        return re.sub(r"%(?=\w)", "$", code)
    return re.sub(r"%%|%(?=[a-zA-Z_])|%(\d+)", lambda match: "$" if match[1] is None else "#" + match[1], code)


def translation(code, given):
    """Returns the C++ of an assembly."""
    text = Assembly().translate(code)
    bound = "".join(f"{'auto&' if '=' in constraint or '+' in constraint else 'const auto'} nbody{number} = {expression}; "
                    for number, (constraint, expression) in enumerate(given) if re.search(rf"\bnbody{number}\b", text))
    return f"({{ {bound}{text}}})"


def refusal(i, instruction):
    """Returns a call that does not compile, unless nothing needs it."""
    name = f"unsupportedAssembly{i}"
    message = (REFUSAL + " ".join(instruction.split())).replace("#", "%").replace("$", "%").replace('"', "'").replace("\\", "")
    return f'({{ extern void {name}() __attribute__((error("{message}"))); {name}(); }})'


def translate_assembly(source):
    for i, word in enumerate(source.words):
        if word.kind != "name" or word.text not in ("asm", "__asm__", "__asm") or not source.in_code(i):
            continue
        opening = i + 1
        while source.text(opening) in ("volatile", "__volatile__", "goto", "inline"):
            opening += 1
        if source.text(opening) != "(":
            continue
        last = source.match[opening]
        colon = next((k for k in range(opening, last) if source.text(k) in (":", "::")), last)
        code = "".join(content(word.text) for word in source.words[opening + 1:colon] if word.kind == "string")
        if not PTX.search(code):
            continue  # for the host's own processor
        given = operands(source, colon, last)
        try:
            text = translation(marked(code, colon < last), given)
        except Unsupported as error:
            text = refusal(i, str(error))
        source.blank(i, last + 1)
        word.text = text
