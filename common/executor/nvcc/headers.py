"""The executor's headers, which each .cu file begins with, compiled once for many files: g++'s precompiled header. They are
most of what a short file takes to compile.

What stands in the place of an object, by the build's own rules, is two files: the precompiled header, and its text, for it
serves only a file that begins with the very same text.
"""

import re
from pathlib import Path

MADE, USED = "-DNBODY_MAKES_HEADERS", "-DNBODY_HEADERS="  # flags: the object is to be such headers; where they are


def parts(text):
    """(what the compiler says of the file, the headers, the rest) of a preprocessed, translated file."""
    file = re.match(r'# \d+ ("[^"\n]*")\n', text)
    begin = text.find('# 0 "<built-in>"\n')
    end = text.find(f"\n# 1 {file[1]}\n", begin) + 1 if file and begin >= 0 else 0
    return (text[:begin], text[begin:end], text[end:]) if end else (text, "", "")


def text_file(headers):
    return Path(f"{headers}.ii")


def make(text, output):
    """Writes the text of the headers, and returns what compiles it."""
    text_file(output).write_text(parts(text)[1], encoding="latin-1")
    return ["-x", "c++-header", "-fpreprocessed", str(text_file(output)), "-o", str(output)]


def headers_of(flags):
    return next((Path(flag.removeprefix(USED)) for flag in flags if flag.startswith(USED)), None)


def with_compiled(text, headers):
    """The text, whose headers are the compiled ones where they are the same."""
    begin, own, rest = parts(text)
    known = own and text_file(headers).is_file() and text_file(headers).read_text(encoding="latin-1")
    return f'{begin}#pragma GCC pch_preprocess "{headers}"\n{rest}' if own and own == known else text
