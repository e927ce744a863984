"""PTX: turns the instructions of an inline assembly into C++ statements.

    ld.global.v2.f32 {%0, %1}, [%2 + 8];   becomes
    { const auto v = *::nbody::executor::ptx::pointer<const float2, false>(nbody2, 8); put(nbody0, v.x); put(nbody1, v.y); }

A register has bits and no type, so each instruction reads its operands as its own type (language/ptx.hpp). Modifiers may be in
any order, as for ptxas.
"""

import re

PTX = "::nbody::executor::ptx::"
EXECUTOR = "::nbody::executor::"
C_TYPES = {"u8": "unsigned char", "b8": "unsigned char", "s8": "signed char", "u16": "unsigned short", "b16": "unsigned short",
           "s16": "short", "u32": "unsigned", "b32": "unsigned", "s32": "int", "u64": "unsigned long long",
           "b64": "unsigned long long", "s64": "long long", "f32": "float", "f64": "double", "f16": "unsigned short",
           "bf16": "unsigned short", "f16x2": "unsigned", "bf16x2": "unsigned", "pred": "bool", "tf32": "unsigned"}
VECTORS = {"u8": "uchar", "b8": "uchar", "s8": "char", "u16": "ushort", "b16": "ushort", "s16": "short", "u32": "uint",
           "b32": "uint", "s32": "int", "f32": "float", "u64": "ulonglong", "b64": "ulonglong", "s64": "longlong",
           "f64": "double", "f16": "ushort"}
FORMATS = {"f16": "HalfFormat", "f16x2": "HalfFormat", "bf16": "BFloat16Format", "bf16x2": "BFloat16Format"}
SPECIAL_REGISTERS = {
    "laneid": "laneId()", "warpid": "warpId()", "smid": "smId()", "nsmid": "multiprocessors", "warp_size": "::warpSize",
    "WARP_SZ": "::warpSize", "lanemask_eq": "(1u << laneId())", "lanemask_lt": "((1u << laneId()) - 1)",
    "lanemask_le": "((2u << laneId()) - 1)", "lanemask_gt": "~((2u << laneId()) - 1)",
    "lanemask_ge": "~((1u << laneId()) - 1)", "clock": "unsigned(::clock64())", "clock64": "::clock64()",
    "globaltimer": "globalTimer()",
    **{f"{name}.{axis}": f"{variable}.{axis}" for axis in "xyz" for name, variable in
       (("tid", "::threadIdx"), ("ntid", "::blockDim"), ("ctaid", "::blockIdx"), ("nctaid", "::gridDim"))}}

# Instructions whose result is an expression of the operands, which have the instruction's type.
EXPRESSIONS = {
    "div": "{0} / {1}", "rem": "{0} % {1}", "min": "::min({0}, {1})", "max": "::max({0}, {1})", "abs": "({0} < 0 ? -{0} : {0})",
    "neg": "-{0}", "and": "{0} & {1}", "or": "{0} | {1}", "xor": "{0} ^ {1}", "not": "~{0}", "cnot": "{0} == 0",
    "popc": "(sizeof({0}) == 8 ? ::__popcll({0}) : ::__popc({0}))", "clz": "(sizeof({0}) == 8 ? ::__clzll({0}) : ::__clz({0}))",
    "brev": "(sizeof({0}) == 8 ? ::__brevll({0}) : ::__brev({0}))", "sad": "{2} + ({0} < {1} ? {1} - {0} : {0} - {1})",
    "bfind": "31 - ::__clz({0})", "prmt": EXECUTOR + "permuteBytes({0}, {1}, {2})", "slct": "({2} >= 0 ? {0} : {1})",
    "fns": "::__fns({0}, {1}, {2})", "copysign": "::copysign({1}, {0})",
    "ex2": "::exp2({0})", "lg2": "::log2({0})", "sin": "::sin({0})", "cos": "::cos({0})", "tanh": "::tanh({0})",
    "rsqrt": "::rsqrt({0})", "sqrt": "::sqrt({0})", "rcp": "1 / {0}", "fma": "::fma({0}, {1}, {2})"}
FLOAT_EXPRESSIONS = {"abs": "::fabs({0})", "mad": "::fma({0}, {1}, {2})"}
# Sums and products of integers wrap around, so their operands are unsigned.
WRAPPING = {"add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "mad": "{0} * {1} + {2}"}
SMALL = {"add": "a + b", "sub": "a - b", "mul": "a * b", "neg": "-a", "abs": "::fabs(a)", "min": "::fmin(a, b)",
         "max": "::fmax(a, b)", "ex2": "::exp2(a)", "tanh": "::tanh(a)", "fma": EXECUTOR + "fusedToOdd(a, b, c)"}
ROUNDED = {("add", "f32"): "__fadd", ("sub", "f32"): "__fsub", ("mul", "f32"): "__fmul", ("div", "f32"): "__fdiv",
           ("rcp", "f32"): "__frcp", ("sqrt", "f32"): "__fsqrt", ("fma", "f32"): "__fmaf", ("add", "f64"): "__dadd",
           ("sub", "f64"): "__dsub", ("mul", "f64"): "__dmul", ("div", "f64"): "__ddiv", ("rcp", "f64"): "__drcp",
           ("sqrt", "f64"): "__dsqrt", ("fma", "f64"): "__fma"}
# Functions of bits: how many of their first arguments have the instruction's type, and how many arguments they have.
OF_BITS = {"shl": (PTX + "shiftLeft", 1, 2), "shr": (PTX + "shiftRight", 1, 2), "bfe": (PTX + "bitField", 1, 3),
           "bfi": (PTX + "insertBits", 2, 4), "lop3": (PTX + "logic3", 0, 4), "shf": ("::__funnelshift_", 0, 3)}
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
ATOMICS = {"add": "atomicAdd", "min": "atomicMin", "max": "atomicMax", "and": "atomicAnd", "or": "atomicOr", "xor": "atomicXor",
           "exch": "atomicExch", "cas": "atomicCAS", "inc": "atomicInc", "dec": "atomicDec"}
ATOMIC_TYPES = {"s64": "u64", "b32": "u32", "b64": "u64"}  # sums and swaps are the same
# Numbers in registers of the matrices, by their PTX type; sums.
NUMBERS = {"f16": "SmallNumbers<::nbody::executor::HalfFormat>", "bf16": "SmallNumbers<::nbody::executor::BFloat16Format>",
           "tf32": "Tf32Number", "s8": "SmallIntegers<8, true>", "u8": "SmallIntegers<8, false>",
           "s4": "SmallIntegers<4, true>", "u4": "SmallIntegers<4, false>", "f64": "DoubleNumber"}
SUMS = {"f32": "SumOf<float>", "f16": "HalfSums", "f64": "SumOf<double>"}
# Instructions without effect here: hints to caches and to the scheduler of grids.
WITHOUT_EFFECT = re.compile(r"prefetchu?\b.*|discard\b.*|applypriority\b.*|griddepcontrol\b.*|setmaxnreg\b.*|pmevent\b.*")
TOKEN = re.compile(r"\$[\w.]+|#\d+|[\w.]+|\S")
INSTRUCTION = re.compile(r"([a-z][a-z0-9_]*(?:\.[\w:]+)*)\s*(.*)", re.S)
GUARD = re.compile(r"@(!?)\s*([$\w]+)\s+(.*)", re.S)
REGISTERS = re.compile(r"\.reg\s+\.(\w+)\s+(.*)", re.S)


class Unsupported(Exception):
    """An instruction without a translation; its text."""


class Wide(str):
    """An expression of twice the operands' width."""


def cast_to(c_type, text):
    return f"static_cast<{c_type}>({text})"


def statements(code):
    """Yields the statements: text up to a semicolon, or a brace of a scope."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", " ", code, flags=re.S)
    text = ""
    for letter in code:
        if letter in "{}" and not text.strip():
            yield letter
        elif letter == ";":
            if text.strip():
                yield text.strip()
            text = ""
        else:
            text += letter
    if text.strip():
        yield text.strip()


def split(text):
    """Returns the operands, which commas separate outside of brackets."""
    parts, depth, begin = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "{[(") - (letter in "}])")
        if letter == "," and depth == 0:
            parts.append(text[begin:i].strip())
            begin = i + 1
    return [*parts, text[begin:].strip()] if text.strip() else []


class Assembly:
    """The translation of one asm statement. Operand %3 of the assembly is the C++ variable nbody3."""

    def __init__(self):
        self.registers = set()
        self.has_carry = False

    def translate(self, code):
        text = "".join(self.statement(statement) for statement in statements(code))
        carry = "[[maybe_unused]] unsigned nbodyCarry = 0; " if self.has_carry else ""
        return carry + text

    def statement(self, text):
        if text in "{}":
            return text + " "
        if declared := REGISTERS.fullmatch(text):
            return self.declaration(text, *declared.groups())
        if guarded := GUARD.fullmatch(text):
            return f"if ({guarded[1]}{self.value(guarded[2], 'bool')}) {{ {self.statement(guarded[3])}}} "
        instruction = INSTRUCTION.fullmatch(text)
        if not instruction:
            raise Unsupported(text)
        try:
            result = self.instruction(instruction[1].split("."), split(instruction[2]), text)
        except (IndexError, KeyError, ValueError, StopIteration):
            result = None
        if result is None:
            raise Unsupported(text)
        return result + "; "

    def declaration(self, text, kind, names):
        c_type = C_TYPES.get(kind)
        if c_type is None:
            raise Unsupported(text)
        declared = []
        for name in split(names):
            if several := re.fullmatch(r"([$\w]+)<(\d+)>", name):
                declared += [several[1] + str(k) for k in range(int(several[2]))]
            else:
                declared.append(name)
        self.registers.update(declared)
        return "".join(f"[[maybe_unused]] {c_type} {self.register(name)} = 0; " for name in declared)

    @staticmethod
    def register(name):
        return "nbodyRegister_" + name.replace("$", "")

    def variable(self, text):
        """Returns the C++ variable of a register; None if the text is none."""
        if re.fullmatch(r"#\d+", text):
            return "nbody" + text[1:]
        return self.register(text) if text in self.registers else None

    def value(self, text, c_type):
        """Returns the C++ expression of an operand as that type."""
        if text.startswith("!"):
            return f"!{self.value(text[1:].strip(), c_type)}"
        if variable := self.variable(text):
            return f"{PTX}as<{c_type}>({variable})"
        if text.startswith("$") and (special := SPECIAL_REGISTERS.get(text[1:])):
            special = special if "::" in special else re.sub(r"\b([a-z]\w+)(\(|$)", rf"{EXECUTOR}\1\2", special)
            return f"{PTX}as<{c_type}>({special})"
        if text == "WARP_SZ":
            return "32"
        if bits := re.fullmatch(r"0[fF]([0-9a-fA-F]{8})|0[dD]([0-9a-fA-F]{16})", text):
            source, cast = (f"0x{bits[1]}u", "float") if bits[1] else (f"0x{bits[2]}ull", "double")
            return cast_to(c_type, f"{EXECUTOR}bitCast<{cast}>({source})")
        if re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|\d+)U?", text):
            return cast_to(c_type, text.rstrip("U") + ("" if c_type in ("float", "double") else "ll"))
        if re.fullmatch(r"-?\d*\.\d*(?:[eE][-+]?\d+)?", text):
            return cast_to(c_type, text)
        raise ValueError

    def put(self, text, expression):
        """Returns a statement that sets the register."""
        if text == "_":
            return f"static_cast<void>({expression})"
        variable = self.variable(text)
        if variable is None:
            raise ValueError
        return f"{PTX}put({variable}, {expression})"

    @staticmethod
    def list(text):
        """Returns the registers of {a, b}, or of a register alone."""
        return split(text[1:-1]) if text.startswith("{") else [text]

    def pointer(self, text, c_type, modifiers):
        """Returns the pointer of an operand such as [%1 + 16]."""
        tokens = TOKEN.findall(text[1:-1])
        offset = "".join(tokens[1:]) or "0"
        if not text.startswith("[") or not re.fullmatch(r"[-+]*\d+|[-+]*0x[0-9a-fA-F]+|[-+]*#\d+", offset):
            raise ValueError
        offset = re.sub(r"^\+|#", lambda match: "nbody" if match[0] == "#" else "", offset)
        variable = self.variable(tokens[0])
        if variable is None:
            raise ValueError
        is_shared = str(any(m.startswith("shared") for m in modifiers)).lower()
        return f"{PTX}pointer<{c_type}, {is_shared}>({variable}, {offset})"

    def instruction(self, words, operands, text):
        """Returns C++ for one instruction; None if it has no translation. words: the parts of its name."""
        name, modifiers = words[0], words[1:]
        types = [word for word in modifiers if word in C_TYPES]
        for translation in (self.of_synchronisation, self.of_memory, self.of_matrices, self.of_warps, self.of_predicates,
                            self.of_carries, self.of_conversions, self.of_arithmetic):
            result = translation(name, modifiers, types, operands)
            if result is not None:
                return result
        return "static_cast<void>(0)" if WITHOUT_EFFECT.fullmatch(text) else None

    def of_synchronisation(self, name, modifiers, types, operands):
        kinds = [word for word in modifiers if word not in ("cta", "aligned")]
        if name in ("bar", "barrier") and kinds == ["warp", "sync"]:
            return f"::__syncwarp({self.value(operands[0], 'unsigned')})"
        if name in ("bar", "barrier") and kinds in (["sync"], ["arrive"]):
            is_waiting = str(kinds == ["sync"]).lower()
            if operands == ["0"] and kinds == ["sync"]:
                return "::__syncthreads()"
            threads = self.value(operands[1], "unsigned") if len(operands) > 1 else "0"
            return (f'{EXECUTOR}waitAtNamed({{"bar.{kinds[0]}", __builtin_FILE(), __builtin_LINE()}}, '
                    f'{self.value(operands[0], "unsigned")}, {threads}, {is_waiting})')
        if name == "bar" and kinds[0] == "red" and operands[1] == "0" and len(operands) == 3:
            function = {"popc": "count", "and": "and", "or": "or"}[kinds[1]]
            return self.put(operands[0], f"::__syncthreads_{function}({self.value(operands[2], 'bool')})")
        if name in ("membar", "fence"):
            return "::__threadfence_block()" if "cta" in modifiers else "::__threadfence()"
        if name == "nanosleep":
            return f"::__nanosleep({self.value(operands[0], 'unsigned')})"
        if name in ("trap", "brkpt") and not operands:
            return "::__trap()"
        if name == "cp" and modifiers[:2] == ["async", "commit_group"]:
            return EXECUTOR + "commitCopies()"
        if name == "cp" and modifiers[:2] == ["async", "wait_group"]:
            return f"{EXECUTOR}finishCopies({self.value(operands[0], 'unsigned')})"
        if name == "cp" and modifiers[:2] == ["async", "wait_all"]:
            return f"{EXECUTOR}commitCopies(); {EXECUTOR}finishCopies(0)"
        return None

    def of_memory(self, name, modifiers, types, operands):
        if name == "cp" and modifiers[0] == "async" and modifiers[1] in ("ca", "cg"):
            to, source = self.pointer(operands[0], "void", ["shared"]), self.pointer(operands[1], "const void", [])
            size = self.value(operands[2], "unsigned")
            used = self.value(operands[3], "unsigned") if len(operands) > 3 else size
            return (f'{EXECUTOR}copyPiece({{"cp.async.{modifiers[1]}", __builtin_FILE(), __builtin_LINE()}}, {to}, {source}, '
                    f"{size}, {used})")
        if name == "cvta":
            c_type = C_TYPES[types[-1]]
            from_shared = "shared" in modifiers and "to" not in modifiers
            return self.put(operands[0], f"{PTX}as<{c_type}>({self.pointer(f'[{operands[1]}]', 'void', ['shared'])})"
                            if from_shared else self.value(operands[1], c_type))
        if name in ("atom", "red"):
            return self.atomic(name, modifiers, types[-1], operands)
        if name not in ("ld", "ldu", "st"):
            return None
        kind = types[-1]
        address, values = (operands[0], operands[1]) if name == "st" else (operands[1], operands[0])
        values = self.list(values)
        if name != "st" and len(values) != 1 and f"v{len(values)}" not in modifiers:
            return None
        is_ordered = {"volatile", "relaxed", "acquire", "release", "mmio"} & set(modifiers)
        if len(values) > 1:
            return self.vector(name, VECTORS[kind] + str(len(values)), kind, address, values, modifiers)
        c_type = C_TYPES[kind]
        pointer = self.pointer(address, c_type if name == "st" else f"const {c_type}", modifiers)
        if name == "st":
            value = self.value(values[0], c_type)
            if "volatile" in modifiers:
                return f"*const_cast<volatile {c_type}*>({pointer}) = {value}"
            if not is_ordered:
                return f"*{pointer} = {value}"
            return self.scoped(modifiers, ("::__threadfence(); " if "release" in modifiers else "") +
                               f"{PTX}storeRelaxed<{c_type}>({pointer}, {value})")
        if "volatile" in modifiers:
            return self.put(values[0], f"*const_cast<const volatile {c_type}*>({pointer})")
        if not is_ordered:
            return self.put(values[0], f"*{pointer}")
        return self.scoped(modifiers, self.put(values[0], f"{PTX}loadRelaxed({pointer})") +
                           ("; ::__threadfence()" if "acquire" in modifiers else ""))

    @staticmethod
    def scoped(modifiers, text):
        """Returns the text with the scope of a block, if that is the instruction's."""
        if "cta" not in modifiers:
            return text
        return f"{{ const {EXECUTOR}BlockScope nbodyScope; {text.replace('__threadfence()', '__threadfence_block()')}; }}"

    def vector(self, name, vector, kind, address, values, modifiers):
        pointer = self.pointer(address, vector if name == "st" else f"const {vector}", modifiers)
        if name == "st":
            return f"*{pointer} = ::make_{vector}({', '.join(self.value(value, C_TYPES[kind]) for value in values)})"
        puts = "; ".join(self.put(value, f"nbodyVector.{axis}") for value, axis in zip(values, "xyzw"))
        return f"{{ const {vector} nbodyVector = *{pointer}; {puts}; }}"

    def atomic(self, name, modifiers, kind, operands):
        operation = next(ATOMICS[word] for word in modifiers if word in ATOMICS)
        kind = kind if operation in ("atomicMin", "atomicMax") else ATOMIC_TYPES.get(kind, kind)
        if kind in FORMATS or any(re.fullmatch(r"v\d", word) for word in modifiers):
            return None
        c_type, suffix = C_TYPES[kind], "_block" if "cta" in modifiers else ""
        address, *values = operands if name == "red" else operands[1:]
        arguments = ", ".join([self.pointer(address, c_type, modifiers), *(self.value(value, c_type) for value in values)])
        call = f"::{operation}{suffix}({arguments})"
        call = call if name == "red" else self.put(operands[0], call)
        before = "::__threadfence(); " if {"release", "acq_rel"} & set(modifiers) else ""
        after = "; ::__threadfence()" if {"acquire", "acq_rel"} & set(modifiers) else ""
        return self.scoped(modifiers, before + call + after)

    def of_matrices(self, name, modifiers, types, operands):
        if name in ("ldmatrix", "stmatrix", "movmatrix"):
            if "m8n8" not in modifiers or "b16" not in modifiers or "sync" not in modifiers:
                return None
            if name == "movmatrix":
                return self.put(operands[0], f"{EXECUTOR}transposed({self.value(operands[1], 'unsigned')})")
            count = next(int(word[1]) for word in modifiers if word in ("x1", "x2", "x4"))
            is_transposed = str("trans" in modifiers).lower()
            address, registers = (operands[1], operands[0]) if name == "ldmatrix" else operands
            registers = self.list(registers)
            if len(registers) != count:
                return None
            pointer = self.pointer(address, "char", ["shared"])
            address = f"reinterpret_cast<unsigned long long>({pointer})"
            if name == "stmatrix":
                parts = ", ".join(self.value(register, "unsigned") for register in registers)
                return f"{EXECUTOR}storeMatrices<{is_transposed}, {count}>({address}, {{{parts}}})"
            puts = "; ".join(self.put(register, f"nbodyParts[{k}]") for k, register in enumerate(registers))
            return (f"{{ unsigned nbodyParts[{count}]; {EXECUTOR}loadMatrices<{is_transposed}>(nbodyParts, {address}); "
                    f"{puts}; }}")
        if name == "mma" and "sync" in modifiers and not any(word.startswith("sp") for word in modifiers):
            return self.product(modifiers, operands)
        return None

    def product(self, modifiers, operands):
        shape = next(word for word in modifiers if re.fullmatch(r"m\d+n8k\d+", word))
        if [word for word in modifiers if word in ("row", "col")] != ["row", "col"]:
            return None
        d, a, b, c = [word for word in modifiers if word in NUMBERS or word in SUMS or word == "s32"]
        rows, depth = map(int, re.fullmatch(r"m(\d+)n8k(\d+)", shape).groups())
        bits = {"tf32": 32, "f64": 64, "s4": 4, "u4": 4, "s8": 8, "u8": 8}.get(a, 16)
        lists = [self.list(operand) for operand in operands]
        saturated = str("satfinite" in modifiers).lower()
        sums = f"IntegerSum<{saturated}>" if d == "s32" else SUMS[d]
        of_a = rows * depth * min(bits, 64) // 32 // (64 if bits == 64 else 32)
        if d != c or rows not in (8, 16) or [len(lists[1]), len(lists[2])] != [of_a, of_a * 8 // rows]:
            return None
        c_type = {"f32": "float", "f64": "double", "s32": "int"}.get(d, "unsigned")
        number = "double" if a == "f64" else "unsigned"
        given = [", ".join(self.value(register, kind) for register in lists[k]) for k, kind in ((1, number), (2, number), (3, c_type))]
        puts = "; ".join(self.put(register, f"nbodySums[{k}]") for k, register in enumerate(lists[0]))
        return (f"{{ {c_type} nbodySums[{len(lists[0])}]; {EXECUTOR}multiplyMatrices<{rows}, {EXECUTOR}{NUMBERS[a]}, "
                f'{EXECUTOR}{NUMBERS[b]}, {EXECUTOR}{sums}>("mma.sync.{shape}.{a}", nbodySums, {{{given[0]}}}, {{{given[1]}}}, '
                f"{{{given[2]}}}); {puts}; }}")

    def of_warps(self, name, modifiers, types, operands):
        if name == "shfl":
            way = next(m for m in modifiers if m in ("idx", "up", "down", "bfly"))
            function = {"idx": "", "up": "_up", "down": "_down", "bfly": "_xor"}[way]
            value, lane, clamp, mask = (self.value(operand, "unsigned") for operand in operands[1:])
            width = f"(32 - ({clamp} >> 8 & 31))"
            to, *predicate = (register.strip() for register in operands[0].split("|"))
            puts = [self.put(to, f"::__shfl{function}_sync({mask}, {value}, {lane}, {width})")]
            if predicate:  # whether the source is in the caller's part of the warp
                inside = {"idx": "true", "up": "nbodyLane >= {}", "down": "nbodyLane + {} < {}", "bfly": "(nbodyLane ^ {}) < {}"}
                puts.insert(0, f"const unsigned nbodyLane = {EXECUTOR}laneId() % {width}; " +
                            self.put(predicate[0], inside[way].format(lane, width)))
            return f"{{ {'; '.join(puts)}; }}"
        if name == "activemask":
            return self.put(operands[0], "::__activemask()")
        if name == "vote":
            function = next(word for word in modifiers if word in ("ballot", "any", "all"))
            return self.put(operands[0], f"::__{function}_sync({self.value(operands[2], 'unsigned')}, "
                            f"{self.value(operands[1], 'bool')})")
        if name == "match" and "any" in modifiers:
            return self.put(operands[0], f"::__match_any_sync({self.value(operands[2], 'unsigned')}, "
                            f"{self.value(operands[1], C_TYPES[types[-1]])})")
        required = f'{EXECUTOR}requireDevice({{"{name}.sync", __builtin_FILE(), __builtin_LINE()}}, "{name}.sync"); '
        if name == "redux":
            function = next(word for word in modifiers if word in ("add", "min", "max", "and", "or", "xor"))
            return (required +
                    self.put(operands[0], f"::__reduce_{function}_sync({self.value(operands[2], 'unsigned')}, "
                             f"{self.value(operands[1], C_TYPES[types[-1]])})"))
        if name == "elect":
            chosen, predicate = operands[0].split("|")
            mask = self.value(operands[1], "unsigned")
            first = f"(::__ffs({PTX}as<int>({mask})) - 1)"
            puts = [self.put(register.strip(), text) for register, text in
                    ((chosen, f"unsigned{first}"), (predicate, f"(static_cast<int>({EXECUTOR}laneId()) == {first})"))
                    if register.strip() != "_"]
            return required + "; ".join(puts)
        return None

    def of_predicates(self, name, modifiers, types, operands):
        if name == "setp":
            first, second = (self.value(operand, C_TYPES[types[-1]]) for operand in operands[1:3])
            test = f"({first} {COMPARISONS[modifiers[0]]} {second})"
            if modifiers[0] == "ne" and types[-1] in ("f32", "f64"):  # false if one is NaN
                test = f"({first} < {second} || {first} > {second})"
            if len(operands) > 3:
                test = f"({test} {dict(zip(('and', 'or', 'xor'), ('&&', '||', '!=')))[modifiers[1]]} {self.value(operands[3], 'bool')})"
            one, *other = (register.strip() for register in operands[0].split("|"))
            return "; ".join([self.put(one, test), *(self.put(register, f"!{test}") for register in other)])
        if name == "selp":
            one, other = (self.value(operand, C_TYPES[types[-1]]) for operand in operands[1:3])
            return self.put(operands[0], f"({self.value(operands[3], 'bool')} ? {one} : {other})")
        if types == ["pred"] and name in ("and", "or", "xor", "not", "mov"):
            values = [self.value(operand, "bool") for operand in operands[1:]]
            form = {"and": "{} && {}", "or": "{} || {}", "xor": "{} != {}", "not": "!{}", "mov": "{}"}[name]
            return self.put(operands[0], form.format(*values))
        return None

    def of_carries(self, name, modifiers, types, operands):
        """Sums of several words, whose carries go from one instruction to the next of the same assembly."""
        takes = name in ("addc", "subc", "madc")
        if not takes and "cc" not in modifiers or takes and not self.has_carry:
            return None
        self.has_carry = True
        bits = int(types[-1][1:])
        narrow, wide = C_TYPES[f"u{bits}"], "unsigned long long" if bits == 32 else "unsigned __int128"
        values = [cast_to(wide, self.value(operand, narrow)) for operand in operands[1:]]
        base = name.removesuffix("c") if takes else name
        if base == "mad":
            product = self.multiplied(values, modifiers, types[-1], bits, narrow, wide)
            sign, first, second = "+", product, values[2]
        else:
            sign, first, second = "-" if base == "sub" else "+", values[0], values[1]
        carry = f" {sign} nbodyCarry" if takes else ""
        after = f"; nbodyCarry = static_cast<unsigned>(nbodyWide >> {bits}) & 1" if "cc" in modifiers else ""
        put = self.put(operands[0], f"static_cast<{narrow}>(nbodyWide)")
        return f"{{ const {wide} nbodyWide = {first} {sign} {second}{carry}; {put}{after}; }}"

    @staticmethod
    def multiplied(values, modifiers, kind, bits, narrow, wide):
        product = f"({values[0]} * {values[1]})"
        if "hi" not in modifiers:
            return cast_to(wide, cast_to(narrow, product))
        if kind.startswith("s"):
            raise ValueError
        return f"({product} >> {bits})"

    def of_conversions(self, name, modifiers, types, operands):
        if name == "mov":
            return self.move(types[-1], operands)
        if name != "cvt":
            return None
        if modifiers[:1] == ["rna"] and types == ["tf32", "f32"]:
            return self.put(operands[0], f"{EXECUTOR}roundedToTf32({self.value(operands[1], 'float')})")
        to, source = types[-2:]
        if to in ("f16x2", "bf16x2"):
            parts = [f"unsigned({EXECUTOR}roundToSmall<{EXECUTOR}{FORMATS[to]}>({self.value(operand, 'float')}))"
                     for operand in operands[1:3]]
            return self.put(operands[0], f"({parts[0]} << 16 | {parts[1]})")
        value = self.value(operands[1], C_TYPES[source])
        if source in FORMATS:
            value = f"{EXECUTOR}floatOfSmall({value}, {EXECUTOR}{FORMATS[source]}{{}})"
        is_float = source in FORMATS or source in ("f32", "f64")
        rounding = next((word for word in modifiers if word in ("rni", "rzi", "rmi", "rpi")), None)
        if rounding:
            value = {"rni": "::nearbyint", "rzi": "::trunc", "rmi": "::floor", "rpi": "::ceil"}[rounding] + f"({value})"
        if to in FORMATS:
            return self.put(operands[0], f"{EXECUTOR}roundToSmall<{EXECUTOR}{FORMATS[to]}>(double({value}))")
        if to not in ("f32", "f64") and (is_float or "sat" in modifiers):
            return self.put(operands[0], f"{EXECUTOR}toInteger<{C_TYPES[to]}>({value if is_float else f'double({value})'})")
        return self.put(operands[0], f"static_cast<{C_TYPES[to]}>({value})")

    def move(self, kind, operands):
        """Moves a register, or packs several into one, or unpacks it."""
        to, source = operands
        bits = int(re.sub(r"\D", "", kind))
        if source.startswith("{"):
            parts = self.list(source)
            width = bits // len(parts)
            return self.put(to, " | ".join(f"{cast_to(C_TYPES[f'u{bits}'], self.value(part, C_TYPES[f'u{width}']))} << {width * k}"
                                           for k, part in enumerate(parts)))
        if to.startswith("{"):
            parts = self.list(to)
            width, value = bits // len(parts), self.value(source, C_TYPES[f"u{bits}"])
            return "; ".join(self.put(part, f"static_cast<{C_TYPES[f'u{width}']}>({value} >> {width * k})")
                             for k, part in enumerate(parts) if part != "_")
        return self.put(to, self.value(source, C_TYPES[kind]))

    def of_arithmetic(self, name, modifiers, types, operands):
        if name == "dp4a":
            first, second = (C_TYPES[kind.replace("32", "8")] for kind in types)
            values = ", ".join(self.value(operand, "unsigned") for operand in operands[1:])
            return self.put(operands[0], f"{EXECUTOR}dotOfBytes<{first}, {second}>({values})")
        if name == "vabsdiff4" and modifiers[-1] == "add":
            first, second, third = (self.value(operand, "unsigned") for operand in operands[1:])
            return self.put(operands[0], f"::__vsadu4({first}, {second}) + {third}")
        if not types:
            return None
        kind = types[-1]
        if kind in FORMATS:
            return self.small_arithmetic(name, kind, operands)
        c_type, is_float = C_TYPES[kind], kind in ("f32", "f64")
        values = [self.value(operand, c_type) for operand in operands[1:]]
        direction = next((word for word in modifiers if word in ("rz", "ru", "rd", "rm", "rp")), None)
        if is_float and direction and (name, kind) in ROUNDED:
            direction = {"rm": "rd", "rp": "ru"}.get(direction, direction)
            return self.put(operands[0], f"::{ROUNDED[name, kind]}_{direction}({', '.join(values)})")
        text = self.of_bits(name, modifiers, kind, operands)
        if text is None and name in WRAPPING and not is_float:
            text = self.wrapping(name, modifiers, kind, operands)
        elif text is None:
            form = is_float and FLOAT_EXPRESSIONS.get(name) or EXPRESSIONS.get(name) or WRAPPING.get(name)
            text = form and form.format(*values)
        if text and "sat" in modifiers and kind == "f32":
            text = f"::__saturatef({text})"
        return text and self.put(operands[0], text if isinstance(text, Wide) else cast_to(c_type, text))

    def of_bits(self, name, modifiers, kind, operands):
        c_type = C_TYPES[kind]
        function, typed, count = OF_BITS.get(name, ("", 0, 0))
        if count == 0 or len(operands) != count + 1:
            return None
        values = ", ".join(self.value(operand, c_type if k < typed else "unsigned") for k, operand in enumerate(operands[1:]))
        if name == "shf":
            function += f"{modifiers[0]}{'c' if 'clamp' in modifiers else ''}"
        return f"{function}{f'<{c_type}>' if typed else ''}({values})"

    def wrapping(self, name, modifiers, kind, operands):
        """Returns a sum or product of integers: all of a product, its upper half, or its lower half."""
        bits, is_signed = int(kind[1:]), kind.startswith("s")
        unsigned = C_TYPES[f"u{bits}"]
        if name in ("add", "sub") or "lo" in modifiers:
            if "sat" in modifiers:
                return None
            return WRAPPING[name].format(*(self.value(operand, unsigned) for operand in operands[1:]))
        product = [self.value(operand, C_TYPES[kind]) for operand in operands[1:3]]
        if "wide" in modifiers:
            wide = C_TYPES[kind[0] + str(2 * bits)]
            text = f"{cast_to(wide, product[0])} * {product[1]}"
            if name == "mad":
                text = f"{cast_to(C_TYPES[f'u{2 * bits}'], text)} + {self.value(operands[3], C_TYPES[f'u{2 * bits}'])}"
            return Wide(text)
        if "hi" in modifiers:
            text = f"::__{'' if is_signed else 'u'}mul{'64' if bits == 64 else ''}hi({', '.join(product)})"
            return text if name == "mul" else f"{cast_to(unsigned, text)} + {self.value(operands[3], unsigned)}"
        return None

    def small_arithmetic(self, name, kind, operands):
        if name not in SMALL:
            return None
        bits = C_TYPES[kind]
        values = ", ".join(self.value(operand, bits) for operand in operands[1:])
        names = ", ".join(f"double {letter}" for letter, _ in zip("abc", operands[1:]))
        return self.put(operands[0], f"{PTX}eachSmall<{EXECUTOR}{FORMATS[kind]}>([]({names}) {{ return {SMALL[name]}; }}, {values})")
