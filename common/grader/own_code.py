"""What is refused of a submission's code before it runs: lines that say that they are another file's, tricks in its text, and
what its objects define and call.
"""

import json
import re

from common.executor.nvcc.compile import SUBMISSION
from common.executor.translate.source import NotTranslated
from common.executor.translate.tricks import refuse_tricks
from common.grader import complaints
from common.grader.complaints import Complaint, DoesNotBuild
from common.grader.kernel_calls import host_call
from common.grader.own_calls import demangled, foreign_call
from common.grader.own_definitions import foreign_definition, said_of, system_functions
from common.grader.reports.report import printable

BLANK = "\v"  # a line's end within a comment
SPACE = r"[^\S\n]*"
OTHERS_LINE = re.compile(rf"^{SPACE}(?:#|%:){SPACE}(?:line\b|\d).{{0,99}}|\bsystem_header\b|\b_Pragma{SPACE}\({SPACE}[^\s\"].{{0,99}}",
                         re.MULTILINE)
OPENING = re.compile(r'''R"([^()\\\s]{0,16})\(|["']|//|/\*''')
IN_QUOTES = {quote: re.compile(rf"(?:\\.|[^{quote}\\\n])*{quote}?", re.DOTALL) for quote in "\"'"}


def without_comments(text, comment, string):
    """The text, with comment(found) instead of each comment and string(found) instead of each string or character literal.

    A comment or raw string that is not closed goes on to the end of the text, any other literal to the end of its line. So each
    part of the text is read once.
    """
    parts, place = [], 0
    while opening := OPENING.search(text, place):
        parts.append(text[place:opening.start()])
        begin, word = opening.span()[0], opening[0]
        if word in IN_QUOTES:
            place = IN_QUOTES[word].match(text, opening.end()).end()
        else:
            close = "\n" if word == "//" else "*/" if word == "/*" else f'){opening[1]}"'
            end = text.find(close, opening.end())
            place = len(text) if end < 0 else end + (len(close) if word != "//" else 0)
        parts.append((comment if word[0] == "/" else string)(text[begin:place]))
    return "".join([*parts, text[place:]])


def untrusted():
    """For the compiler: that the translator is to refuse tricks."""
    return [f"-D{SUBMISSION}"] if complaints.CHECKS_CALLS else []


def check_texts(texts):
    """Of sources by name: none says that a part of it is another file's, or the system's."""
    for name, text in texts.items() if complaints.CHECKS_CALLS else ():
        joined = text.replace("\\\n", "")
        # With comments, for what looks like one may be part of a string, and without.
        bare = without_comments(joined, lambda comment: BLANK * comment.count("\n") or " ", lambda string: '""')
        for plain in (joined, bare):
            if found := OTHERS_LINE.search(plain):
                line = 1 + sum(plain.count(end, 0, found.start()) for end in ("\n", BLANK))
                raise DoesNotBuild(Complaint(f"a submission may not contain '{printable(found[0].strip())}', because it makes "
                                             "lines look like those of another file", (), name, line))


def linked_with(build):
    """(the compiler, the executor's archives) of a build tree."""
    tools = json.loads((build / "executor.json").read_text())
    return tools["compiler"][-1], (tools["libraries"]["check"],)


def read_libraries(build):
    """Reads what the checks of objects compare with, which takes as long as they do: it can be done beforehand."""
    system_functions(*linked_with(build))


def check_symbols(made, own, sandbox, build):
    """What an object of a submission's defines and calls. own: the suite's own in its place, which calls what it may, or
    None; build: the tree whose executor it is linked with
    """
    compiler, archives = linked_with(build)
    symbols = said_of(made, sandbox, "nm")
    if complaints.CHECKS_CALLS and (name := foreign_call(symbols, own, compiler)):
        raise DoesNotBuild(Complaint(f"the submission calls {name}, which is not allowed: it may use CUDA and the standard "
                                     "library, but no files and no threads"))
    if name := foreign_definition(symbols, compiler, archives):
        raise DoesNotBuild(Complaint(f"the submission defines {demangled(name)}, which is a function of the system or the "
                                     "executor: choose another name"))


def check_kernels(made, sandbox, build):
    """What the kernels of an object of a submission's call. build: as above"""
    if complaints.CHECKS_CALLS and (name := host_call(made, sandbox, linked_with(build)[0])):
        raise DoesNotBuild(Complaint(f"a kernel calls {demangled(name)}, which is a host function: nvcc does not compile this"))


def check_preprocessed(text, place):
    """Of a source of the suite's with what it includes from the folder `place`."""
    try:
        if complaints.CHECKS_CALLS:
            refuse_tricks(text, "/", within=str(place))
    except NotTranslated as error:
        raise DoesNotBuild(Complaint(str(error).partition(": error: ")[2])) from None
