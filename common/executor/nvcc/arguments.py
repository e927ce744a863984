"""nvcc's command line."""

import dataclasses
import re
import shlex

from common.executor.nvcc.toolchain import ToolError

# Options with a value: short name, long name, and what to do with the value. "keep": passed to the compiler unchanged.
VALUED = {
    "-o": "output", "--output-file": "output", "-I": "include", "--include-path": "include",
    "-isystem": "system", "--system-include": "system", "-include": "preinclude", "--pre-include": "preinclude",
    "-D": "define", "--define-macro": "define", "-U": "undefine", "--undefine-macro": "undefine",
    "-L": "folder", "--library-path": "folder", "-l": "library", "--library": "library",
    "-O": "optimise", "--optimize": "optimise", "-std": "standard", "--std": "standard", "-x": "language",
    "--x": "language", "-arch": "architecture", "--gpu-architecture": "architecture", "-code": "code",
    "--gpu-code": "code", "-gencode": "gencode", "--generate-code": "gencode", "-Xcompiler": "host",
    "--compiler-options": "host", "-Xlinker": "linker", "--linker-options": "linker", "-ccbin": "compiler",
    "--compiler-bindir": "compiler", "-MF": "dependencies", "--dependency-output": "dependencies", "-MT": "target",
    "-MQ": "target", "-rdc": "whole", "--relocatable-device-code": "whole"}
# Options with a value that has no meaning here.
IGNORED_VALUED = {
    "-Xptxas", "--ptxas-options", "-Xnvlink", "--nvlink-options", "-Xarchive", "--archive-options", "-Xcudafe",
    "-maxrregcount", "--maxrregcount", "-ftz", "--ftz", "-prec-div", "--prec-div", "-prec-sqrt", "--prec-sqrt",
    "-fmad", "--fmad", "-cudart", "--cudart", "-cudadevrt", "--cudadevrt", "-default-stream", "--default-stream",
    "-t", "--threads", "-keep-dir", "--keep-dir", "-odir", "--output-directory", "-diag-suppress", "--diag-suppress",
    "-diag-error", "--diag-error", "-diag-warn", "--diag-warn", "-Werror", "--Werror", "-m", "--machine",
    "-split-compile", "--split-compile", "-dopt", "--dopt", "-ldir", "--target-directory", "-target-dir",
    "-ptxas-options"}
IGNORED = {
    "-m64", "-lineinfo", "--generate-line-info", "-use_fast_math", "--use_fast_math", "-G", "--device-debug",
    "-extended-lambda", "--extended-lambda", "-expt-extended-lambda", "--expt-extended-lambda",
    "-expt-relaxed-constexpr", "--expt-relaxed-constexpr", "-extra-device-vectorization",
    "--extra-device-vectorization", "-res-usage", "--resource-usage", "-Wno-deprecated-gpu-targets", "--source-in-ptx",
    "-keep", "--keep", "-save-temps", "--save-temps", "-restrict", "--restrict", "-dlto", "--dlink-time-opt",
    "-Wreorder", "--Wreorder", "-Wdefault-stream-launch", "-Wmissing-launch-bounds", "-Wext-lambda-captures-this",
    "-noeh", "--no-exceptions", "-no-align-double", "-err-no", "--display-error-number", "-disable-warnings-display",
    "--no-host-device-initializer-list", "--no-host-device-move-forward", "-nohdmoveforward", "-nohdinitlist",
    "--compress", "-no-compress", "-forward-unknown-to-host-linker", "--forward-unknown-to-host-linker"}
REFUSED = {"-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin", "-optix-ir", "--optix-ir", "-lto", "--lto", "-ltoir",
           "--ltoir"}
FLAGS = {
    "-c": "object", "--compile": "object", "-dc": "device-object", "--device-c": "device-object", "-dw": "object",
    "--device-w": "object", "-E": "preprocess", "--preprocess": "preprocess", "-M": "list", "-MM": "list",
    "--generate-dependencies": "list", "--generate-nonsystem-dependencies": "list", "-dlink": "device-link",
    "--device-link": "device-link", "-lib": "archive", "--lib": "archive", "-link": "link", "--link": "link",
    "-MD": "-MD", "--generate-dependencies-with-compile": "-MD",
    "-MMD": "-MMD", "--generate-nonsystem-dependencies-with-compile": "-MMD", "-MP": "-MP",
    "--generate-dependency-targets": "-MP", "-g": "debug", "--debug": "debug", "-pg": "profile",
    "--profile": "profile", "-w": "quiet", "--disable-warnings": "quiet", "-v": "verbose", "--verbose": "verbose",
    "-dryrun": "dryrun", "--dryrun": "dryrun", "--version": "version", "-V": "version", "-h": "help",
    "--help": "help", "--check": "check", "--asan": "asan", "--plain": "plain", "-forward-unknown-to-host-compiler":
    "forward", "--forward-unknown-to-host-compiler": "forward", "-shared": "shared", "--shared": "shared"}
# Options that a build system passes to g++ as the linker. CMake links with ladder-nvcc instead.
HOST = re.compile(r"-Wl,.*|-rdynamic|-pthread|-pie|-no-pie|-f(PIC|PIE|pic|pie|openmp)|-fuse-ld=\w+|-s")
JOINED = ("-I", "-D", "-U", "-L", "-l", "-O", "-isystem")  # the value may follow without a blank


@dataclasses.dataclass
class Arguments:
    inputs: list = dataclasses.field(default_factory=list)  # files, in order
    values: dict = dataclasses.field(default_factory=dict)  # all values of each valued option
    flags: set = dataclasses.field(default_factory=set)
    host: list = dataclasses.field(default_factory=list)  # options for the compiler, unchanged

    def last(self, name, otherwise=None):
        return self.values.get(name, [otherwise])[-1]


def listed(text):
    """Returns the words of the value of -Xcompiler or -Xlinker, which are separated by commas or blanks."""
    return [part.replace("\\,", ",") for word in shlex.split(text) for part in re.split(r"(?<!\\),", word) if part]


def split(word):
    """Returns (option, value or None) of a word."""
    if "=" in word and (name := word.split("=", 1)[0]) in VALUED.keys() | IGNORED_VALUED:
        return name, word.split("=", 1)[1]
    if word in VALUED or word in IGNORED_VALUED or word in FLAGS or word in IGNORED:
        return word, None
    for name in JOINED:
        if word.startswith(name) and len(word) > len(name):
            return name, word[len(name):]
    return word, None


def expanded(words):
    """Returns the words, with those of the files that @FILE and --options-file name."""
    result, words = [], list(words)
    while words:
        word = words.pop(0)
        if word in ("-optf", "--options-file") and words:
            word = "@" + words.pop(0)
        if word.startswith("@"):
            try:
                with open(word[1:], encoding="utf-8") as file:
                    words = shlex.split(file.read()) + words
            except OSError as error:
                raise ToolError(f"cannot read {word[1:]}: {error.strerror}") from None
        else:
            result.append(word)
    return result


def parse(words):
    arguments, words = Arguments(), expanded(words)
    forwards = any(FLAGS.get(word) == "forward" for word in words)
    while words:
        name, value = split(words.pop(0))
        if name in VALUED or name in IGNORED_VALUED:
            if value is None:
                if not words:
                    raise ToolError(f"{name} needs a value")
                value = words.pop(0)
            if name in VALUED:
                values = listed(value) if VALUED[name] == "linker" else [value]
                arguments.values.setdefault(VALUED[name], []).extend(values)
            if VALUED.get(name) == "host":
                arguments.host += listed(value)
        elif name in FLAGS:
            arguments.flags.add(FLAGS[name])
        elif name in REFUSED:
            raise ToolError(f"{name}: the executor generates no GPU code")
        elif HOST.fullmatch(name):
            arguments.host.append(name)
        elif name.startswith("-") and name != "-" and name not in IGNORED:
            if not forwards:
                raise ToolError(f"unknown option '{name}'")
            arguments.host.append(name)
        elif name not in IGNORED:
            arguments.inputs.append(name)
    return arguments
