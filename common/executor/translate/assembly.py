"""Inline PTX: the few instructions with a plain meaning on a CPU. Any other is an error when it is compiled."""

import re

PTX = re.compile(r"\b[a-z][a-z0-9]*(\.[a-z0-9_:]+)+\b|\bexit\s*;|\btrap\s*;|\bbrkpt\s*;")
SPECIAL_REGISTERS = {
    "laneid": "laneId()", "warpid": "warpId()", "smid": "smId()", "nsmid": "multiprocessors",
    "lanemask_eq": "(1u << laneId())", "lanemask_lt": "((1u << laneId()) - 1)", "lanemask_le": "((2u << laneId()) - 1)",
    "lanemask_gt": "~((2u << laneId()) - 1)", "lanemask_ge": "~((1u << laneId()) - 1)",
    "clock": "unsigned(::clock64())", "clock64": "::clock64()", "globaltimer": "globalTimer()",
    **{f"{name}.{axis}": f"{variable}.{axis}" for axis in "xyz" for name, variable in
       (("tid", "::threadIdx"), ("ntid", "::blockDim"), ("ctaid", "::blockIdx"), ("nctaid", "::gridDim"))}}
MOVE = re.compile(r"\s*mov\.[usb](?:32|64)\s+%0\s*,\s*%%?([a-z_]+\d*(?:\.[xyz])?)\s*;\s*")
# Whole instructions; {0} is the first operand.
KNOWN = {
    r"membar\.(?:gl|sys)": "::__threadfence()", r"fence\.\S+": "::__threadfence()",
    r"membar\.cta": "::__threadfence_block()", r"bar\.sync\s+0": "::__syncthreads()", r"trap": "::__trap()",
    r"prefetch\S*\s+\[%0\]": "(void)({0})", r"bar\.warp\.sync\s+%0": "::__syncwarp({0})",
    r"ld\.global(?:\.[a-z0-9_:]+)*\.[a-z]\d+\s+%0\s*,\s*\[%1\]": "{0} = *(decltype({0})*)({1})",
    r"bfe\.u32\s+%0\s*,\s*%1\s*,\s*%2\s*,\s*%3": "{0} = unsigned(unsigned{1} * 1ull >> ({2} & 63) & ((1ull << ({3} & 63)) - 1))",
    r"popc\.b32\s+%0\s*,\s*%1": "{0} = ::__popc({1})", r"brev\.b32\s+%0\s*,\s*%1": "{0} = ::__brev({1})",
    r"clz\.b32\s+%0\s*,\s*%1": "{0} = ::__clz({1})", r"bfind\.u32\s+%0\s*,\s*%1": "{0} = 31 - ::__clz({1})",
    r"vabsdiff4\.u32\.u32\.u32\.add\s+%0\s*,\s*%1\s*,\s*%2\s*,\s*%3": "{0} = ::__vsadu4({1}, {2}) + ({3})",
    r"movmatrix\.sync\.aligned\.m8n8\.trans\.b16\s+%0\s*,\s*%1": "{0} = ::nbody::executor::transposed({1})",
    r"cvt\.rna\.tf32\.f32\s+%0\s*,\s*%1": "{0} = ::nbody::executor::roundedToTf32({1})",
    r"prmt\.b32\s+%0\s*,\s*%1\s*,\s*%2\s*,\s*%3": "{0} = ::nbody::executor::permuteBytes({1}, {2}, {3})",
    r"fma\.rn\.f(?:32|64)\s+%0\s*,\s*%1\s*,\s*%2\s*,\s*%3": "{0} = ::fma({1}, {2}, {3})",
    r"add\.[a-z]\d+\s+%0\s*,\s*%1\s*,\s*%2": "{0} = ({1}) + ({2})",
    r"mul\.(?:lo\.|rn\.)?[a-z]\d+\s+%0\s*,\s*%1\s*,\s*%2": "{0} = ({1}) * ({2})",
    r"mad\.lo\.[a-z]\d+\s+%0\s*,\s*%1\s*,\s*%2\s*,\s*%3": "{0} = ({1}) * ({2}) + ({3})"}

# Tensor cores: names for the formats of a matrix's numbers; a list of registers in an instruction.
NUMBERS = {"f16": "SmallNumbers<::nbody::executor::HalfFormat>", "bf16": "SmallNumbers<::nbody::executor::BFloat16Format>",
           "tf32": "Tf32Number"}
LIST = r"\{([%0-9,\s]+)\}"
PRODUCT = re.compile(rf"\s*mma\.sync\.aligned\.m16n8k\d+\.row\.col\.f32\.(\w+)\.\1\.f32\s+{LIST}\s*,\s*{LIST}\s*,\s*{LIST}\s*,\s*{LIST}\s*;?\s*")
LOAD = re.compile(rf"\s*ldmatrix\.sync\.aligned\.m8n8\.x[124](\.trans)?\.shared(?:::cta)?\.b16\s+{LIST}\s*,\s*\[%(\d+)\]\s*;?\s*")


def matrix_translation(code, expressions):
    """Returns the C++ of an instruction for tensor cores; None for another one."""
    def listed(numbers, form):
        return "{" + ", ".join(form.format(expressions[int(k)]) for k in re.findall(r"%(\d+)", numbers)) + "}"

    if (product := PRODUCT.fullmatch(code)) and product[1] in NUMBERS:
        lists = [listed(product[2], "&({})"), *(listed(product[k], "static_cast<std::uint32_t>({})") for k in (3, 4)),
                 listed(product[5], "{}")]
        return f"::nbody::executor::multiplyMatrices<::nbody::executor::{NUMBERS[product[1]]}>({', '.join(lists)})"
    if load := LOAD.fullmatch(code):
        transposed = "true" if load[1] else "false"
        to = listed(load[2], "reinterpret_cast<std::uint32_t*>(&({}))")
        return f"::nbody::executor::loadMatrices<{transposed}>({to}, {expressions[int(load[3])]})"
    return None


def operands(source, first, last):
    """Returns the expressions of the constraints, which follow each string "=r" in parentheses."""
    return [source.raw(i + 1, source.match[i]) for i in range(first, last)
            if source.text(i) == "(" and source.words[i - 1].kind == "string"]


def translation(code, expressions):
    """Returns the C++ of a piece of PTX; None if there is none."""
    if (move := MOVE.fullmatch(code)) and move[1] in SPECIAL_REGISTERS and expressions:
        value = SPECIAL_REGISTERS[move[1]]
        return f"{expressions[0]} = " + (value if ":" in value else
                                         re.sub(r"\b([a-z]\w+)\(", r"::nbody::executor::\1(", value))
    for form, text in KNOWN.items():
        if re.fullmatch(rf"\s*{form}\s*;?\s*", code):
            return text.format(*(f"({expression})" for expression in expressions))
    return matrix_translation(code, expressions)


def refusal(source, i, code):
    """Returns a call that does not compile, unless nothing needs it."""
    name = f"unsupportedAssembly{i}"
    shown = code.replace("\\n", " ").replace("\\t", " ").strip()
    message = f"the CPU executor does not run this inline PTX: {shown}"
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
        code = "".join(word.text[1:-1] for word in source.words[opening + 1:colon] if word.kind == "string")
        if not PTX.search(code) and code.strip():
            continue  # for the host's own processor
        text = translation(code.replace("\\n", " ").replace("\\t", " "), operands(source, colon, last))
        if not code.strip():
            continue
        source.blank(i, last + 1)
        word.text = text or refusal(source, i, code)
