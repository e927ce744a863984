"""Links of the code that pages quote: only those that lead where the code means.

Doxygen links a name in quoted code to anything of that name: a parameter to a member of the executor, a step's function
to another step's. Kept are calls, types and macros of the suite, and of the steps only those of the page's own.
"""

import re

from common.tools.docs.contents import address

FRAGMENT = re.compile(r'<div class="fragment">.*?</div><!-- fragment -->', re.DOTALL)
LINK = re.compile(r'<a class="code(?: hl_\w+)?" href="([^"]+)">([^<]*)</a>(?=(\(|&lt;|))')
STEP = re.compile(r"^nbody::step_(\d\d)(::|$)")
OF_A_STEP = re.compile(r"(?:step|exercise)_(?:0?)(\d)")
CALLED, NAMED = {"function"}, {"class", "struct", "union", "typedef", "enumeration"}


def meant(entry, step, called):
    """Whether code on a page of that step, or of none, means what the link leads to."""
    if entry.kind == "define":
        return entry.folder.endswith("/common/cuda/")
    of = STEP.match(entry.within)
    in_suite = of[1] == step if of else (re.match(r"nbody(::|$)", entry.within)
                                         and not entry.within.startswith("nbody::executor"))
    return bool(in_suite) and (entry.kind in NAMED or entry.kind in CALLED and called)


def mended(text, entries, step):
    def link(match):
        entry = entries.get(match[1])
        return match[0] if entry and meant(entry, step, bool(match[3])) else match[2]
    return FRAGMENT.sub(lambda fragment: LINK.sub(link, fragment[0]), text)


def write(folder, titles, entries):
    """Mends the pages of these titles, in place; entries: as tags.py has them."""
    for page in titles:
        file = folder / address(page)
        of = OF_A_STEP.match(page)
        file.write_text(mended(file.read_text(), entries, f"0{of[1]}" if of else ""))
