"""What a submission's source may not have, for the checker would not see what it does: instructions of the host's own
processor, and attributes by which code goes unchecked or runs before all other.
"""

import re

from common.executor.translate.assembly import PTX
from common.executor.translate.source import NotTranslated
from common.executor.translate.tokens import MARKER, TOKEN, pieces

SUSPECT = re.compile(r"asm|_mm|__builtin_ia32|__attribute|\[\s*\[|executor")
ASSEMBLY = {"asm", "__asm", "__asm__"}
INTRINSIC = re.compile(r"_mm\d*_\w+|__builtin_ia32_\w+|__builtin_nontemporal_\w+")
ATTRIBUTES = re.compile(r"no_sanitize\w*|disable_sanitizer_instrumentation|section|ifunc|naked|alias|weakref")
SYSTEM = ("/usr/", "<")


def refuse_tricks(text, own, within=""):
    """Of a preprocessed file. own: the executor's folder; within: the folder of what is looked at. Files are told by their
    names alone: who may write neither `#line` nor a system's header cannot say that a piece is another's.
    """
    for _, part in pieces(text, own):
        marker = MARKER.match(part)
        if marker is None or not SUSPECT.search(part):
            continue
        if marker[2].startswith(within) if within else not marker[2].startswith((*SYSTEM, own)):
            check(part, marker)


def check(part, marker):
    words = [(m.lastgroup, m.group(), m.start()) for m in TOKEN.finditer(part) if m.lastgroup not in ("space", "marker")]
    for i, (kind, word, at) in enumerate(words):
        if kind != "name":
            continue
        found = None
        if word in ASSEMBLY and is_of_host(words, i):
            found = "instructions of the host's processor (asm)"
        elif INTRINSIC.fullmatch(word):
            found = f"instructions of the host's processor ({word})"
        elif ATTRIBUTES.fullmatch(word.strip("_")) and in_attribute(words, i):
            found = f"the attribute {word}, because it runs code that is not checked"
        elif word == "executor" and (words[i - 1][1] in ("::", "namespace") or words[i + 1:i + 2] and words[i + 1][1] == "::"):
            found = "names of the executor (nbody::executor)"
        if found:
            line = int(marker[1]) + part.count("\n", part.find("\n") + 1, at)
            raise NotTranslated(f"{marker[2]}:{line}: error: a submission may not contain {found}")


def is_of_host(words, i):
    """Whether the code of an asm is neither PTX, which the executor translates or refuses, nor empty."""
    code = ""
    for kind, word, _ in words[i + 1:]:
        if kind in ("string", "delimiter"):
            code += word[1:-1]
        elif word not in ("(", "volatile", "__volatile__", "goto", "inline"):
            break
    return bool(code.strip()) and not PTX.search(code)


def in_attribute(words, i):
    """Whether the word stands within __attribute__((...)) or [[...]]."""
    depth = 0
    for kind, word, _ in reversed(words[max(0, i - 200):i]):
        if kind == "name" and word.startswith("__attribute") and depth > 0:
            return True
        if word in (";", "{", "}"):
            return False
        depth += (word in ("(", "[")) - (word in (")", "]"))
        if word == "[" and depth >= 2:
            return True
    return False
