"""Precompiled headers of g++ for the executor's headers, with which each .cu file begins. They save most of the time for
compiling a short file. A build folder has one per combination of text and flags. A file uses it if its preprocessed and
translated text begins in the same way.
"""

import fcntl
import hashlib
import os
import re
import shutil
from pathlib import Path

from common.executor.nvcc.toolchain import ToolError, in_text, run

FOLDER = "NBODY_KERNEL_HEADERS"  # environment variable that names the folder; without it, there are none
OF_MESSAGES = ("-W", "-fmax-errors=", "-fdiagnostics")


def parts(text):
    """Returns (the compiler's lines about the file, the headers, the rest) of a preprocessed, translated file."""
    file = re.match(r'# \d+ ("[^"\n]*")\n', text)
    begin = text.find('# 0 "<built-in>"\n')
    end = text.find(f"\n# 1 {file[1]}\n", begin) + 1 if file and begin >= 0 else 0
    return (text[:begin], text[begin:end], text[end:]) if end else (text, "", "")


def key(compiler, flags, text):
    """Returns a hash of what g++ compares: the compiler, the flags that change its output, the text."""
    program = os.stat(shutil.which(compiler[-1]) or compiler[-1])
    level = next((flag for flag in reversed(flags) if flag.startswith("-O")), "")
    kept = sorted({flag for flag in flags if not flag.startswith(("-O", *OF_MESSAGES))} | {level})
    said = "\n".join([*map(in_text, [*compiler, str(program.st_mtime_ns), str(program.st_size), *kept]), text])
    return hashlib.sha256(said.encode("latin-1")).hexdigest()[:16]


def make(compiler, flags, text, output):
    """Makes the header in one process. Others that need the same one wait."""
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
    """Returns the text, in which the compiled headers replace its own."""
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
        return text  # for example a folder that is read-only: compiles without them
    return f'{begin}#pragma GCC pch_preprocess "{in_text(compiled)}"\n{rest}'
