"""Corrects links in the code that pages quote: removes those to a wrong target.

Doxygen links a name in quoted code to anything of that name: a parameter to a member of the executor, a step's function to
another step's. Only links to calls, types and macros of the suite remain, and of steps only the page's own. The class and the
address of a link tell its target.
"""

import re

from common.base.command_line import ROOT

FRAGMENT = re.compile(r'<div class="fragment">.*?</div><!-- fragment -->', re.DOTALL)
LINK = re.compile(r'<a class="code hl_(\w+)" href="([^"]+)">([^<]*)</a>(?=(\(|&lt;|))')
IN_SUITE = re.compile(r"(?:namespace|class|struct|union)nbody(?!_1_1executor)(?:_1_1step__(\d\d))?")
OF_A_STEP = re.compile(r"(?:step|exercise)_(\d+)")
CALLED, NAMED = {"function"}, {"class", "struct", "union", "typedef", "enumeration"}
# Files with the macros that code means, as Doxygen names them.
MACROS = {path.name.replace("_", "__").replace(".", "_8") for path in (ROOT / "common" / "cuda").iterdir()}


def meant(kind, target, step, called):
    """Returns whether code on a page of that step, or of none, means the link's target."""
    if kind == "define":
        return re.sub("^cuda_2", "", target.partition(".html")[0]) in MACROS
    suite = IN_SUITE.match(target)
    return bool(suite) and suite[1] in (None, step) and (kind in NAMED or kind in CALLED and called)


def mended(text, step):
    def link(found):
        return found[0] if meant(found[1], found[2], step, bool(found[4])) else found[3]
    return FRAGMENT.sub(lambda fragment: LINK.sub(link, fragment[0]), text)


def mend(file):
    """Mends a page, in place."""
    of = OF_A_STEP.match(file.name)
    file.write_text(mended(file.read_text(), of and of[1].zfill(2)))
