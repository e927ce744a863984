"""Precompiled headers of g++ for the executor's headers, with which each .cu file begins. They save most of the time that a
short file takes to compile. A build folder has one for each combination of text and flags. A file that begins with the same
text, preprocessed and translated, uses it.
"""

import fcntl
import hashlib
import os
import re
import shutil
from pathlib import Path

from common.executor.nvcc.toolchain import ToolError, run

FOLDER = "NBODY_KERNEL_HEADERS"  # the environment's variable that names the folder; without it, there are none
OF_MESSAGES = ("-W", "-fmax-errors=", "-fdiagnostics")


def parts(text):
    """(what the compiler says of the file, the headers, the rest) of a preprocessed, translated file."""
    file = re.match(r'# \d+ ("[^"\n]*")\n', text)
    begin = text.find('# 0 "<built-in>"\n')
    end = text.find(f"\n# 1 {file[1]}\n", begin) + 1 if file and begin >= 0 else 0
    return (text[:begin], text[begin:end], text[end:]) if end else (text, "", "")


def key(compiler, flags, text):
    """A hash of what g++ compares: itself, the flags that change its output, the text."""
    program = os.stat(shutil.which(compiler[-1]) or compiler[-1])
    level = next((flag for flag in reversed(flags) if flag.startswith("-O")), "")
    kept = sorted({flag for flag in flags if not flag.startswith(("-O", *OF_MESSAGES))} | {level})
    said = "\n".join([*map(str, compiler), str(program.st_mtime_ns), str(program.st_size), *kept, text])
    return hashlib.sha256(said.encode("latin-1")).hexdigest()[:16]


def make(compiler, flags, text, output):
    """Makes it in one process, while others that need the same wait."""
    with open(f"{output}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if output.exists():
            return
        source, made = Path(f"{output}.ii"), Path(f"{output}.new")
        source.write_text(text, encoding="latin-1")
        run([*compiler, *flags, "-x", "c++-header", "-fpreprocessed", source, "-o", made])
        source.unlink()
        made.rename(output)


def with_compiled(compiler, flags, text):
    """The text, whose own headers are replaced by the compiled ones."""
    begin, own, rest = parts(text)
    if not (own and FOLDER in os.environ):
        return text
    folder = Path(os.environ[FOLDER])
    compiled = folder / key(compiler, flags, own)
    try:
        folder.mkdir(exist_ok=True)
        if not compiled.exists():
            make(compiler, flags, own, compiled)
    except (OSError, ToolError):
        return text  # a folder that can only be read, say: as without
    return f'{begin}#pragma GCC pch_preprocess "{compiled}"\n{rest}'
