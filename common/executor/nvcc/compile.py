"""Compiles one file: a .cu with preprocessor and translator, any other like the compiler."""

import os
import re
import subprocess
import sys
from pathlib import Path

from common.executor.nvcc import headers, sections
from common.executor.nvcc.toolchain import MARK, MARK_SECTION, ToolError, in_text, run, thrust_flags
from common.executor.translate.assembly import REFUSAL
from common.executor.translate.source import NotTranslated
from common.executor.translate.translate import translate

OWN = str(Path(__file__).resolve().parents[1]) + "/"
DEPENDENCIES = ("-MD", "-MMD", "-MP")
DEPENDENCY_FILES = ("-MF", "-MT", "-MQ")
CUDAS_HEADER = r"(?:cu[a-z]+\w*|nv\w+|npp\w*)\.h|(?:cub|cuda|nv|cooperative_groups)/\S+"


def is_cuda(file, language=None):
    return language == "cu" or language is None and Path(file).suffix == ".cu"


def refuse_others(file, language=None):
    """Refuses files that a compiler would not take for sources but pass to the linker."""
    suffix = Path(file).suffix
    if language is None and suffix in ("", ".cuh", ".h", ".hpp") and not Path(file).is_dir():
        what = f"ends in {suffix}, which is a header" if suffix else "has no ending"
        raise ToolError(f"{file} {what}: CUDA C++ sources end in .cu. If it is one, say -x cu before its name")


def header_refusal(errors):
    """Returns a line that names a header of CUDA which the executor does not have; None if the compiler missed none."""
    if refused := re.search(r'(?:from (\S+:\d+):\n)?(\S+):\d+:\d+: error: #error "(the CPU executor .*)"', errors):
        return f"{refused[1] or refused[2]}: error: {refused[3]} ({Path(refused[2]).name})\n"
    missing = re.search(rf"^(.*?:\d+):\d+: fatal error: ({CUDAS_HEADER}): No such file", errors, re.M)
    return missing and f"{missing[1]}: error: the CPU executor does not have the header {missing[2]}\n"


def preprocess(compiler, flags, file, output=None):
    """Returns the preprocessed text of a .cu file, each byte as a letter of Latin-1. The compiler writes what -MD asks for."""
    command = [*compiler, "-E", "-x", "c++", *flags, str(file), *(["-o", str(output)] if output else [])]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = ran.stderr.decode(errors="replace")
    sys.stderr.write(ran.returncode and header_refusal(said) or said)
    if ran.returncode != 0:
        if missing := re.search(r"(helper_\w+\.h|exception\.h): No such file", said):
            print(f"{missing[1]} belongs to NVIDIA's samples: get https://github.com/NVIDIA/cuda-samples and add "
                  "-I cuda-samples/Common", file=sys.stderr)
        if re.search(r"thrust/\S+: No such file", said) and thrust_flags() is None:
            print("Thrust's headers are missing: install Debian's libthrust-dev, or set CUDA_HOME to the folder of a CUDA "
                  "toolkit", file=sys.stderr)
        raise ToolError("", ran.returncode if ran.returncode > 0 else 1)
    return ran.stdout.decode("latin-1")


def translated(text, **options):
    try:
        return translate(text, **options)
    except NotTranslated as error:
        print(str(error).encode("latin-1").decode(errors="replace"), file=sys.stderr)
        raise ToolError("", 1) from None


def of_compiler(flags):
    """Returns the flags that the compilation of a preprocessed file needs: no folders, no macros, no lists of headers."""
    kept, words = [], iter(flags)
    for word in words:
        if word in ("-I", "-isystem", "-D", "-U", "-include", "-iquote", "-idirafter", *DEPENDENCY_FILES):
            next(words, None)
        elif word not in DEPENDENCIES and not word.startswith(("-I", "-isystem", "-D", "-U")):
            kept.append(word)
    return kept


def source_line(file, number):
    """Returns a line of a file; "" if there is none."""
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace").splitlines()[number - 1]
    except (OSError, IndexError):
        return ""


def placed(file, number, message):
    """Returns the number of the line that a message is about. A missing ; belongs to the end of the line before the one that the
    compiler names.
    """
    word = re.search(r"expected .*?[‘'];[’'] before [‘'](.+?)[’']", message)
    if word and source_line(file, number).lstrip().startswith(word[1]):
        before = (n for n in range(number - 1, 0, -1) if source_line(file, n).partition("//")[0].strip())
        return next(before, number)
    return number


def tidied(errors):
    """Returns the compiler's messages, each with its line as it is in the file. The compiler's own copies have columns of the
    translated text, and name lambda functions that the translator writes.
    """
    lines = []
    for line in errors.splitlines():
        found = re.match(r"(.+?):(\d+)(?::\d+)?: ((?:fatal )?error|warning|note): (.*)", line)
        if found:
            number = placed(found[1], int(found[2]), found[4])
            text = source_line(found[1], number).strip()
            lines += [f"{found[1]}:{number}: {found[3]}: {found[4]}", *([f"  {text}"] if text else [])]
        elif not re.match(r"\s*(\d+ )?\||[^:]+: (In|At) .*:$", line):
            lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def run_compiler(command, is_tidy):
    """Runs the compiler. If the only errors are instructions that the executor does not run, prints a line for each."""
    if os.environ.get("LADDER_NVCC_VERBOSE"):
        print(" ".join(map(str, command)), file=sys.stderr)
    ran = subprocess.run([str(word) for word in command], stderr=subprocess.PIPE, text=True, errors="replace")
    errors = re.findall(r"^(.*?:\d+):\d+: error: (.*)$", ran.stderr, re.M)
    refused = [(place, message[message.index(REFUSAL):]) for place, message in errors if REFUSAL in message]
    is_all = refused and len(refused) == len(errors)
    said = "".join(f"{place}: error: {text}\n" for place, text in dict.fromkeys(refused)) if is_all else ran.stderr
    sys.stderr.write(tidied(said) if is_tidy and not is_all else said)
    if ran.returncode != 0:
        raise ToolError("", ran.returncode if ran.returncode > 0 else 1)


def mark_of(mode):
    """Returns C++ text with which an object refers to a symbol that only the executor's library of this mode has. So objects of
    two modes do not link, not even if a compiler cache, which does not know LADDER_NVCC_MODE, returns one of the other mode.
    """
    return f'\nasm(".pushsection {MARK_SECTION},\\"aw\\"\\n.balign 8\\n.quad {MARK}{mode}\\n.popsection");\n' if mode else ""


def compile_cuda(compiler, flags, file, output, work, whole_program=False, sides=False, mode=None, build=None):
    """Compiles the file. flags: of both steps; work: a folder for intermediate files; mode: the only one to link the object with;
    build: a folder whose files are named relative to it, so that a compiler cache knows them in another build folder
    """
    unplaced = set()
    text = translated(preprocess(compiler, [*flags, *target_of(flags, output)], file),
                      whole_program=whole_program, own=in_text(OWN), sides=sides, unplaced=unplaced)
    if build:
        text = text.replace(f' "{in_text(build)}/', ' "')
    text = headers.with_compiled(compiler, of_compiler(flags), text)
    between = Path(work) / f"{Path(file).stem}.{os.getpid()}.{abs(hash(str(file))) % 10**6}.ii"
    between.write_text(text + mark_of(mode), encoding="latin-1")
    command = [*compiler, "-x", "c++-cpp-output", *of_compiler(flags), between]
    if not unplaced:
        return run_compiler([*command, "-c", "-o", output], is_tidy=bool(mode))
    assembly = between.with_suffix(".s")
    run_compiler([*command, "-fdata-sections", "-S", "-o", assembly], is_tidy=bool(mode))
    assembly.write_text(sections.moved(assembly.read_text(encoding="latin-1"), unplaced), encoding="latin-1")
    run([*compiler, "-Wa,--no-warn", "-c", assembly, "-o", output])


def target_of(flags, output):
    """Returns flags that make the object depend on the headers, unless the flags name another target."""
    asks = any(word in flags for word in ("-MD", "-MMD"))
    named = [] if not asks or any(word in flags for word in ("-MT", "-MQ")) else ["-MT", str(output)]
    written = [] if not asks or "-MF" in flags else ["-MF", str(Path(output).with_suffix(".d"))]
    return [*named, *written]
