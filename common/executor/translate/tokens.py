"""The lexer: turns preprocessed C++ into tokens that keep every byte.

A file consists of line markers, `# 12 "forces.cu" 2`, each followed by the lines of that place. Lines of system headers (flag 3
of the marker) become one token. This is fast, and skips qualifiers in Thrust's headers. All other lines are read, even without
words of CUDA, because they may close a bracket that was opened before.
"""

import re

TOKEN = re.compile(r"""
  (?P<marker>^\#[^\n]*)
 |(?P<space>\s+|//[^\n]*|/\*.*?\*/)
 |(?P<string>(?:u8|u|U|L)?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"
            |(?:u8|u|U|L)?"(?:\\.|[^"\\\n])*")
 |(?P<char>(?:u8|u|U|L)?'(?:\\.|[^'\\\n])+')
 |(?P<name>[^\W\d][\w$]*|\$[\w$]*)
 |(?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
 |(?P<op><<\s*<|<<=|<<|<=>|<=|>=|->\*|->|\+\+|--|&&|\|\||::|\.\.\.|[-+*/%^&|=!]=|.)
""", re.X | re.S | re.M)

MARKER = re.compile(r'^# (\d+) "((?:[^"\\\n]|\\.)*)"((?: \d)*)$', re.M)
QUALIFIER = re.compile(r"\b__(?:host|device)__\b")
RAW_STRING = re.compile(r'R"([^()\\\s]{0,16})\((?:.*?\)\1"|(.*))', re.S)


class Token:
    __slots__ = ("kind", "text", "before", "after")

    def __init__(self, kind, text):
        self.kind, self.text = kind, text
        self.before = self.after = ""  # text that the translation puts around it


def open_raw_string(text):
    """Returns the end of the raw string that is open at the end of the text, or None. It may contain text like markers."""
    opening = next((m for m in RAW_STRING.finditer(text) if m[2] is not None), None) if 'R"' in text else None
    return opening and f'){opening[1]}"'


def pieces(text, own):
    """Yields (is of a system header, text) of each group of lines that one marker begins. A marker belongs to the lines after it.

    own: the folder of the executor, whose headers are treated like a system's, except those of its tests. A macro of a system header has such markers
    around it too, although its file is the user's: NULL is a word like others.
    """
    begin, is_system, of_user, string_end = 0, False, set(), 0
    for match in MARKER.finditer(text):
        if match.start() < string_end:
            continue
        part = text[begin:match.start()]
        if delimiter := open_raw_string(part):
            string_end = text.find(delimiter, match.start()) % (len(text) + 1)  # the whole text if nothing closes it
            continue
        if part:
            yield is_system, part
        if "3" not in match[3] and not (own and match[2].startswith(own) and not match[2].startswith(own + "tests/")):
            of_user.add(match[2])
        begin, is_system = match.start(), match[2] not in of_user
    yield is_system, text[begin:]


def tokens_of(text, own=""):
    """Returns all tokens of a preprocessed file. Joined, they are the file."""
    result = []
    for is_system, part in pieces(text, own):
        if is_system:
            result.append(Token("marker", QUALIFIER.sub("", part)))
            continue
        result += [Token("string" if match.lastgroup == "delimiter" else match.lastgroup, match.group())
                   for match in TOKEN.finditer(part)]
    return result
