"""Links of the code that pages quote: only those that lead where the code means.

Doxygen links a name in quoted code to anything of that name: a parameter to a member of the executor, a step's function
to another step's. Kept are calls, types and macros of the suite, and of the steps only those of the page's own.
"""

import re
import xml.etree.ElementTree

from common.tools.docs.contents import address

FRAGMENT = re.compile(r'<div class="fragment">.*?</div><!-- fragment -->', re.DOTALL)
LINK = re.compile(r'<a class="code(?: hl_\w+)?" href="([^"]+)">([^<]*)</a>(?=(\(|&lt;|))')
STEP = re.compile(r"^nbody::step_(\d\d)(::|$)")
OF_A_STEP = re.compile(r"(?:step|exercise)_(?:0?)(\d)")
CALLED, NAMED = {"function"}, {"class", "struct", "union", "typedef", "enumeration"}


def owners(tags):
    """{address: (kind, name of what it is in)} of all that the reference has; tags: doxygen's tag file."""
    found = {}
    for compound in xml.etree.ElementTree.parse(tags).getroot():
        kind, name, file = (compound.get("kind"), compound.findtext("name"), compound.findtext("filename"))
        if kind in NAMED:
            found[file] = (kind, name.rpartition("::")[0])
        within = (compound.findtext("path") or "") + name if kind == "file" else name
        for member in compound.iter("member"):
            place = f"{member.findtext('anchorfile')}#{member.findtext('anchor')}"
            if place not in found or kind != "file":  # a member of a namespace is a member of its file, too
                found[place] = (member.get("kind"), within)
    return found


def meant(kind, owner, step, called):
    """Whether code on a page of that step, or of none, means what the link leads to."""
    if kind == "define":
        return "/common/cuda/" in owner
    of = STEP.match(owner)
    in_suite = of[1] == step if of else re.match(r"nbody(::|$)", owner) and not owner.startswith("nbody::executor")
    return bool(in_suite) and (kind in NAMED or kind in CALLED and called)


def mended(text, found, step):
    def link(match):
        kind, owner = found.get(match[1], ("", ""))
        return match[0] if meant(kind, owner, step, bool(match[3])) else match[2]
    return FRAGMENT.sub(lambda fragment: LINK.sub(link, fragment[0]), text)


def write(folder, titles, tags):
    """Mends the pages of these titles, in place."""
    found = owners(tags)
    for page in titles:
        file = folder / address(page)
        of = OF_A_STEP.match(page)
        file.write_text(mended(file.read_text(), found, f"0{of[1]}" if of else ""))
