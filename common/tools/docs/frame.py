"""What is around each page of the site: the sidebar, the previous and the next page; and corrections of Doxygen's HTML.

Each page gets one h1, its sections are h2, and it loads no script it does not use.
"""

import html
import math
import re

from common.tools.build import step_names
from common.tools.ladder.pages import step_title

# The sidebar after the first page and the steps: groups of pages, by their names, in the order of the pages.
GROUPS = {
    "Learning": {"exercises": "Exercises", "unit_reduction": "Unit: reduction and scan", "unit_histogram": "Unit: histogram",
                 "unit_streams": "Unit: streams and overlap", "homework": "Homework", "cheat_sheet": "Cheat sheet"},
    "The programs": {"live": "Live", "installing": "Where it runs", "using": "Programs, scenes and files",
                     "library": "The steps in your own program", "how_a_step_is_made": "How a step is made and added"},
    "Without a GPU": {"plain_cuda": "CUDA without a GPU"},
    "How fast, how exact": {"results": "The ladder in full", "measuring": "Measuring", "accuracy": "Integrators and accuracy",
                            "profiling": "Profiling it yourself", "maps": "The maps of the triangle", "contributing": "Your GPU"},
    "For instructors": {"course": "A course", "instructors_guide": "Instructor's guide", "mistakes": "Common mistakes",
                        "mutants": "Which tool finds what"},
    "To look up": {"glossary": "Glossary", "papers": "The three papers, bibliography"},
    "Reference": {"namespaces": "Namespaces", "annotated": "Classes", "files": "Files"},  # Doxygen's lists
}
UNNEEDED = {  # what a page without these words does not need
    r"\\[(\[]": r'<script type="text/x-mathjax-config">.*?</script>\n<script[^>]*/MathJax.js"></script>\n',
    "dynsection|toggle": r'<script src="(?:jquery|dynsections).js"></script>\n',
}
HEADING = re.compile(r'<h([1-5])><a class="anchor" id="(\w+)"></a>\n(.*?)</h\1>')
OPTION = re.compile(r"(?<![^\s>])--?[a-z][\w-]*")  # in code: a line does not end within it, after the -- of --steps say
CODE = re.compile(r"(?<=<code>)[^<]*(?=</code>)")
NAME = re.compile(r'(<td class="[^"]*"><code>(?:<a [^>]*>)?)(\w+)')  # in a table it may take two lines
PARAGRAPH = re.compile(r"<p >(.*?)</p>", re.DOTALL)
DESCRIPTION = 160  # characters
LETTERS = 11  # pixels of the smallest letters; a chart that cannot be so narrow is scrolled


def groups():
    """Returns [(title of the group or "", [(title, address)])] of the sidebar, in the order of the pages."""
    steps = {f"step_{step[:2]}": step_title(step) for step in step_names()}
    return [(group, [(title, f"{name}.html") for name, title in pages.items()])
            for group, pages in {"": {"index": "Start here"}, "The steps": steps, **GROUPS}.items()]


class Frame:
    """Finishes the pages of one site."""

    def __init__(self):
        self.groups = groups()
        self.order = [page for _, pages in self.groups for page in pages]

    def sidebar(self, name):
        """Returns the list of all pages. Only the group of the page is open; the reference has more pages than its group lists."""
        own = next((title for title, pages in self.groups if any(page == name for _, page in pages)), self.groups[-1][0])

        def link(title, address):
            current = ' aria-current="page"' if address == name else ""
            return f'<li><a href="{address}"{current}>{title}</a></li>'

        parts = []
        for title, pages in self.groups:
            links = "".join(link(*page) for page in pages)
            parts.append(f'<li><details{" open" if title == own else ""}><summary>{title}</summary><ul>{links}</ul></details></li>'
                         if title else links)
        return ('<nav id="sidebar" aria-label="Pages"><a id="home" href="index.html">N-Body Ladder</a>'
                '<form id="search" role="search"><input id="search-field" type="search" placeholder="Search (key /)" '
                'aria-label="Search the pages" autocomplete="off" spellcheck="false"/>'
                '<div id="search-results" aria-live="polite" hidden></div></form>'
                f'<details id="pages" open><summary>Pages</summary><ul>{"".join(parts)}</ul></details></nav>{folded("pages", 768)}')

    def chain(self, name):
        """Returns links to the previous and to the next page."""
        place = next((k for k, (_, address) in enumerate(self.order) if address == name), None)
        if place is None:
            return ""
        near = [("prev", self.order[place - 1] if place else None), ("next", self.order[place + 1] if place + 1 < len(self.order) else None)]
        links = "".join(f'<a rel="{rel}" href="{page[1]}">{page[0]}</a>' for rel, page in near if page)
        return f'<nav class="chain" aria-label="Previous and next page">{links}</nav>'

    def finish(self, file):
        """Corrects a page, in place."""
        head, body = file.read_text().split("<body>", 1)
        for words, unneeded in UNNEEDED.items():
            if not re.search(words, body):
                head = re.sub(unneeded, "", head, flags=re.DOTALL)
        is_page = file.name in {address for _, address in self.order}
        if is_page and '<div class="textblock">' in body:
            body = HEADING.sub(r'<h\1 id="\2">\3 <a class="anchorlink" href="#\2" aria-label="Link to this section">#</a></h\1>', body)
            body = re.sub(r"(</?h)([1-5])\b", lambda found: f"{found[1]}{int(found[2]) + 1}", body)
            body = CODE.sub(lambda code: OPTION.sub(r'<span class="option">\g<0></span>', code[0]), body)
            body = NAME.sub(lambda name: name[1] + name[2].replace("_", "_<wbr>"), body)
        body = re.sub(r'<div class="toc"><h\d>Table of Contents</h\d>\n(.*?</ul>)\n</div>', r'<nav class="margin" aria-label="Contents"><details '
                      rf'id="toc" open><summary>On this page</summary>\1</details></nav>{folded("toc", 1240)}', body, flags=re.DOTALL)
        body = re.sub(r'<div class="title">(.*?)</div>', r'<h1 class="title">\1</h1>', body, flags=re.DOTALL)
        body = re.sub(r"(</div><!-- contents -->)", lambda end: self.chain(file.name) + end[0], body, count=1)
        body = re.sub(r'alt=""/>\n<div class="caption">\n(.*?)</div>', r'alt="\1"/>\n<div class="caption">\n\1</div>', body)
        body = re.sub(r'<img src="([^"]+)"', lambda found: f"{found[0]} {size(file.parent / found[1])}", body)
        body = body.replace("[sidebar]", self.sidebar(file.name), 1)
        head = head.replace("[description]", description(body))
        file.write_text(f"{head}<body>{body}")


def size(picture):
    """Returns the attributes that keep the place of a picture until it is loaded, and the letters of a chart legible."""
    made, more = picture.read_bytes(), ""
    if picture.suffix == ".svg":  # of matplotlib, in points
        wide, high = (float(each) * 4 / 3 for each in re.search(rb'<svg[^>]* width="([\d.]+)pt" height="([\d.]+)pt"', made).groups())
        smallest = min(float(points) * 4 / 3 for points in re.findall(rb"font(?:-size)?: (?:bold )?([\d.]+)px", made))  # pixels of a letter
        more = f' style="min-width: {math.ceil(min(wide, wide * LETTERS / smallest))}px"'
    else:  # the header of an extended .webp has both sizes, less 1
        wide, high = (1 + int.from_bytes(made[at : at + 3], "little") for at in (24, 27))
    return f'width="{wide:.0f}" height="{high:.0f}" loading="lazy"{more}'


def folded(name, width):
    """Returns a script that opens a fold on screens of at least this width, before it is painted."""
    return (f"<script>{{ const wide = matchMedia('(min-width: {width}px)'), fold = document.getElementById('{name}'); "
            "(wide.onchange = () => { fold.open = wide.matches; })(); }</script>")


def description(body):
    """Returns the beginning of the first paragraph, without markup."""
    for paragraph in PARAGRAPH.findall(body):
        text = " ".join(html.unescape(re.sub("<[^>]*>|\\\\[()]", "", paragraph)).split())
        if len(text) > 40:
            return html.escape(text if len(text) <= DESCRIPTION else text[: text.rfind(" ", 0, DESCRIPTION)] + " …")
    return "Gravity on a GPU, one idea at a time"
