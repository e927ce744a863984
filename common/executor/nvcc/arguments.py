"""nvcc's command line."""

import dataclasses
import re
import shlex

from common.executor.nvcc.toolchain import ToolError

# nvcc takes each option with one or two dashes; here they have one.
# Kinds of values, each with the options that have one. "host": passed to the compiler unchanged.
VALUED = {option: name for name, options in (
    ("output", "-o -output-file"), ("include", "-I -include-path"), ("system", "-isystem -system-include"),
    ("preinclude", "-include -pre-include"), ("define", "-D -define-macro"), ("undefine", "-U -undefine-macro"),
    ("folder", "-L -library-path"), ("library", "-l -library"), ("optimise", "-O -optimize"), ("standard", "-std"),
    ("language", "-x"), ("architecture", "-arch -gpu-architecture"), ("code", "-code -gpu-code"),
    ("gencode", "-gencode -generate-code"), ("host", "-Xcompiler -compiler-options"), ("linker", "-Xlinker -linker-options"),
    ("compiler", "-ccbin -compiler-bindir"), ("dependencies", "-MF -dependency-output"), ("target", "-MT -MQ"),
    ("whole", "-rdc -relocatable-device-code")) for option in options.split()}
# Options with a value that has no meaning here.
IGNORED_VALUED = {
    "-Xptxas", "-ptxas-options", "-Xnvlink", "-nvlink-options", "-Xarchive", "-archive-options", "-Xcudafe", "-maxrregcount",
    "-ftz", "-prec-div", "-prec-sqrt", "-fmad", "-cudart", "-cudadevrt", "-default-stream", "-t", "-threads", "-keep-dir",
    "-odir", "-output-directory", "-diag-suppress", "-diag-error", "-diag-warn", "-Werror", "-m", "-machine",
    "-split-compile", "-dopt", "-ldir", "-target-directory", "-target-dir"}
IGNORED = {
    "-m64", "-lineinfo", "-generate-line-info", "-use_fast_math", "-G", "-device-debug", "-extended-lambda",
    "-expt-extended-lambda", "-expt-relaxed-constexpr", "-extra-device-vectorization", "-res-usage", "-resource-usage",
    "-Wno-deprecated-gpu-targets", "-source-in-ptx", "-keep", "-save-temps", "-restrict", "-dlto", "-dlink-time-opt",
    "-Wreorder", "-Wdefault-stream-launch", "-Wmissing-launch-bounds", "-Wext-lambda-captures-this", "-noeh",
    "-no-exceptions", "-no-align-double", "-err-no", "-display-error-number", "-disable-warnings-display",
    "-no-host-device-initializer-list", "-no-host-device-move-forward", "-nohdmoveforward", "-nohdinitlist", "-compress",
    "-no-compress", "-forward-unknown-to-host-linker"}
REFUSED = {"-ptx", "-cubin", "-fatbin", "-optix-ir", "-lto", "-ltoir"}
FLAGS = {option: name for name, options in (
    ("object", "-c -compile -dw -device-w"), ("device-object", "-dc -device-c"), ("preprocess", "-E -preprocess"),
    ("list", "-M -MM -generate-dependencies -generate-nonsystem-dependencies"), ("device-link", "-dlink -device-link"),
    ("archive", "-lib"), ("link", "-link"), ("-MD", "-MD -generate-dependencies-with-compile"),
    ("-MMD", "-MMD -generate-nonsystem-dependencies-with-compile"), ("-MP", "-MP -generate-dependency-targets"),
    ("debug", "-g -debug"), ("profile", "-pg -profile"), ("quiet", "-w -disable-warnings"), ("verbose", "-v -verbose"),
    ("dryrun", "-dryrun"), ("version", "-V -version"), ("help", "-h -help"), ("check", "-check"),
    ("plain", "-plain"), ("forward", "-forward-unknown-to-host-compiler"), ("shared", "-shared")) for option in options.split()}
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


def one_dash(word):
    return word[1:] if word.startswith("--") else word


def split(word):
    """Returns (option, value or None) of a word."""
    name, sign, value = one_dash(word).partition("=")
    if sign and name in VALUED.keys() | IGNORED_VALUED:
        return name, value
    if one_dash(word) in VALUED.keys() | FLAGS.keys() | IGNORED_VALUED | IGNORED | REFUSED:
        return one_dash(word), None
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
    forwards = any(FLAGS.get(one_dash(word)) == "forward" for word in words)
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
