"""Code that the docs quote: a function by its name, or a part of it between lines with given words."""

import re

from common.base.command_line import ROOT

NO_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
BODY = re.compile(r"[\sa-z]*\{")  # const or noexcept may come before it
ELSE = re.compile(r"\s*else\b")
STRETCH = re.compile(r'"(.+?)"(?: to "(.+)")?')


def code_of(text):
    """Returns the text with spaces instead of comments and strings; all else stays in its place."""
    return NO_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def past(code, begin, ends):
    """Returns the place after the first of the characters `ends` from `begin` on, outside of brackets, and before no else."""
    depth = 0
    for place in range(begin, len(code)):
        depth += (code[place] in "([{") - (code[place] in ")]}")
        if depth == 0 and code[place] in ends and not ELSE.match(code, place + 1):
            return place + 1
    raise ValueError("a bracket is not closed")


def line_begin(text, place):
    return text.rfind("\n", 0, place) + 1


def with_comment(text, code, begin):
    """Returns the start of the text that ends in the line at `begin`: a comment, template<>, a result type."""
    while begin:
        before = line_begin(text, begin - 1)
        line = code[before:begin].strip()
        if not text[before:begin].strip() or line.startswith("#") or line.endswith((";", "{", "}", ":")):
            break
        begin = before
    return begin


def definitions(text, name):
    """Returns the functions of that name, each with its comment."""
    code = code_of(text)
    found = []
    for match in re.finditer(rf"\b{name}(?=\()", code):
        after = past(code, match.end(), ")")
        if BODY.match(code, after):
            begin = with_comment(text, code, line_begin(text, match.start()))
            found.append(text[begin : text.index("\n", past(code, after, "}")) + 1])
    return found


def only(found, what):
    if len(found) != 1:
        raise ValueError(f"{what}: {len(found)} times, not once")
    return found[0]


def quoted(file, name, stretch=""):
    """Returns the function; without a name the file from its first #include or import on.

    stretch: '"WORDS"' selects the statement that begins in the line with these words, '"WORDS" to "OTHERS"' everything from
    that line to the end of the statement that begins in the other. Raises ValueError unless the words occur exactly once.
    """
    text = (ROOT / file).read_text()
    if not name:
        return text[re.search("^(#include|import)", text, re.MULTILINE).start():]
    functions = definitions(text, name)
    if not stretch:
        return only(functions, f"function {name} in {file}")
    words = STRETCH.fullmatch(stretch)
    if not words:
        raise ValueError(f'not "WORDS", nor "WORDS" to "OTHERS": {stretch}')
    function = only([f for f in functions if words[1] in f], f'function {name} with "{words[1]}" in {file}')
    begin, last = (line_begin(function, only([m.start() for m in re.finditer(re.escape(part), function)],
                                             f'"{part}" in {name} of {file}'))
                   for part in (words[1], words[2] or words[1]))
    if last < begin:
        raise ValueError(f'"{words[2]}" stands before "{words[1]}" in {name} of {file}')
    return function[begin : function.index("\n", past(code_of(function), last, ";}")) + 1]
