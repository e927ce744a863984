"""Makes the pages of the docs from docs/pages/*.md: each {{...}} becomes text or HTML.

    {{ladder 04 262144 gflops}}         a number of a recorded result (results.py)
    {{gems 31.4.1: 163 GFLOP/s}}        a number quoted from GPU Gems 3, chapter 31, with its section
    {{map 4.1: 7%}} {{octgrav 3: 64}}   from the paper on triangular maps, from that on octgrav
    {{nvidia H200: 4.8 TB/s}}           from NVIDIA's data sheet of that card
    {{figure unroll.svg: caption}}      a recorded figure, stamped; docs/charts.md says what it shows
    {{picture million: caption}}        docs/images/million.webp, an animation, or .png for readers who ask for less motion
    {{diagram tile: caption}}           drawn by tile() of docs/diagrams/*.py, in the page's colours
    {{widget maps: title}}              docs/widgets/maps.js, an interactive picture
    {{see tile: caption}}               a recorded page of a kernel at work (seen.py)
    {{seen p1_0}}                       a link to such a page, or nothing if there is nothing to see
    {{cards}}                           a link to each step, with its idea, how fast it is, and a drawing of its page
    {{table ladder}} {{table 04}} {{table 06: 05}} {{table instructions}}
    {{table public_programs}}           how public programs ran on the executor (public_programs.py has more tables)
    {{excerpt ncu_04_1024: Occupancy}}  lines of a recorded text, from the first with these words to the next empty line
    {{quote 02_tiled/forces.cu forcesKernel}}          a function with its comment, or a part of it (quotes.py)
    {{quote 04_x/forces.cu forcesKernel: "real4 body" to "for (int b"}}
    <details><summary>words</summary>   a fold: everything to </details>, each tag on a separate line
    {{diff 03}} {{diff 04_tuned}} {{mutant 02_early_return}} {{transcript 02_last_tile_skipped}}

Each is replaced by one line, so that doxygen's warnings name the lines of docs/pages. Only {{made NAME}}, alone on its line, becomes
several lines of Markdown, which may have macros too: text that a function makes from data (MADE).
"""

import html
import importlib
import itertools
import json
import re
import shutil
import sys
from pathlib import Path

from common.base.command_line import ROOT, BadInput, CommandFailed
from common.tools.build import step_names
from common.tools.docs import public_programs, seen, tables
from common.tools.docs.quotes import quoted
from common.tools.docs.results import BadQuery
from common.tools.ladder.acts import ACTS, FIRST, Acts, times
from common.tools.ladder.pages import idea, step_title
from common.tools.ladder.recorded import Recorded

DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "diagrams"))
DIAGRAMS = {name: draw for module in ("all_pairs", "machine", "multipole", "ranks", "tensor", "timeline", "tree", "triangle")
            for name, draw in vars(importlib.import_module(module)).items()}
# The drawing of each step on its card.
DRAWN = {"01": "rows", "02": "tile", "03": "iterations", "04": "shuffle", "05": "pairs", "06": "octree", "07": "sorted_cells",
         "08": "ring_of_ranks", "09": "two_products", "10": "five_ways", "11": "essential_tree"}
CHARTS = dict(re.findall(r"^\| ([\w-]+) \| (.+) \|$", (DOCS / "charts.md").read_text(), re.MULTILINE))  # what each shows
FOLD = re.compile(r"<details><summary>.+</summary>|</details>")
MACRO = re.compile(r"\{\{(.+?)\}\}")
MADE_LINE = re.compile(r"^\{\{made (\w+)(?: (\w+))?\}\}$", re.MULTILINE)
# Module and function that make the text of a name. They are imported when a page needs them, because some read pages themselves.
MADE = {**dict.fromkeys(("overview", "exercises_of_students", "mistakes", "puzzle_mistakes", "marks", "example"),
                        "exercises.instructors_guide"),
        "mutants": "mutants.page", "mutant_programs": "mutants.page", "syllabus": "exercises.course", "milestones": "exercises.course"}
TITLE = re.compile(r"# .*\{#(\w+)\}")
HEADING = re.compile(r"#{2,3} (.*[^}])")  # a heading without a name
TERM = re.compile(r"\| (?!word |---)(.+?) (\|.*)")  # a row of the glossary
LONG = 4  # number of headings from which on a page has a table of contents
TABLES = {**tables.TABLES, **public_programs.TABLES}
SOURCES = {
    "gems": "GPU Gems 3, chapter 31, section {}",
    "map": "Navarro, Bustos and Hitschfeld, section {}",
    "octgrav": "Gaburov, Bedorf and Portegies Zwart, section {}",
    "nvidia": "NVIDIA, data sheet of the {}",
}
EMPTIED = ("pages", "generated", "html")  # folders that are deleted before a site is made


class BadPage(CommandFailed):
    """One line: page, line and what is wrong there."""


class Pages:
    """Writes pages and the files they include under a folder."""

    def __init__(self, results, folder):
        self.results = results
        self.pages, self.generated, self.html = (folder / name for name in EMPTIED)
        self.names = []  # names of the pages written so far
        for made in (self.pages, self.generated, self.html):
            shutil.rmtree(made, ignore_errors=True)
            made.mkdir(parents=True)

    def write_all(self):
        for page in DOCS.glob("pages/*.md"):
            self.write(page.name, text_of(page))
        self.write("results.md", page_of(DOCS / "results.md"))

    def write(self, name, text):
        self.page = Path(name).stem
        self.numbers = itertools.count()  # numbers of the files that it includes
        self.scripts = ["widgets.js"]  # scripts of the page's widgets; all need the first
        lines = [self.written(name, number, line) for number, line in enumerate(text.splitlines(), 1)]
        if title := TITLE.match(text):
            self.names.append("index" if title[1] == "mainpage" else title[1])
            lines = [with_anchor(line, title[1]) for line in lines]
            if sum(line.startswith(("## ", "### ")) for line in lines) >= LONG:
                lines += ["", "\\tableofcontents{HTML:2}"]
        (self.pages / name).write_text("\n".join(lines) + "\n")

    def written(self, name, number, line):
        try:
            made = MACRO.sub(lambda macro: self.expanded(macro[1].strip()), line)
        except (BadInput, BadQuery, StopIteration, OSError, KeyError, ValueError) as error:
            raise BadPage(f"docs/pages/{name}:{number}: {error or 'no such name'}") from error
        if FOLD.fullmatch(made):  # Doxygen would end it at an empty line
            return self.included(made)
        # A number and a full stop at the start of a line would begin a list.
        return re.sub(r"^([\d.,]+)\. ", r"\1\. ", made) if line.startswith("{{") else made

    def expanded(self, macro):
        word, _, rest = macro.partition(" ")
        name, _, text = (part.strip() for part in rest.partition(":"))
        if word in SOURCES:
            return f'<span class="quoted" title="{html.escape(SOURCES[word].format(name))}">{text}</span>'
        if word == "quote":
            file, _, function = name.partition(" ")
            # In a listing Doxygen would show a comment's \\p unchanged.
            return "\\include " + self.kept(quoted(file, function, text).replace("\\p ", ""), Path(file).suffix)
        if word == "seen":
            return seen.linked(name)
        if word == "see":
            return self.included(seen.embedded(name, text))
        if word == "cards":
            return self.included(self.cards())
        if word in ("diff", "mutant", "transcript"):
            return self.included(getattr(tables, word)(name))
        if word in ("figure", "picture", "diagram", "widget", "table", "excerpt"):
            return self.included(getattr(self, word)(name, text))
        return self.results.text(macro)

    def kept(self, text, suffix=".html"):
        """Returns the name of a new file with this text."""
        file = self.generated / f"{self.page}_{next(self.numbers)}{suffix}"
        file.write_text(text)
        return file.name

    def included(self, text):
        return f"\\htmlinclude[block] {self.kept(text)}"

    def excerpt(self, name, begin):
        return tables.excerpt(self.results.at(f"{name}.txt").read_text(), begin)

    def table(self, name, other):
        return TABLES[name](self.results) if name in TABLES else tables.rows_of(self.results, name, other)

    def diagram(self, name, text):
        return drawn(DIAGRAMS[name]().svg(), text, ' class="diagram"')

    def cards(self):
        acts = Acts(Recorded(self.results.at("ladder.json").parent).runs)

        def card(step):
            number, fastest = step[:2], {bodies: acts.fastest(bodies).get(step) for bodies in ACTS}
            gains = [f"{times(acts.factor(program, bodies))} times as fast with {bodies:,} bodies" for bodies, program in fastest.items()
                     if program and step != FIRST]
            said = ", ".join(gains) or ("All other steps are compared with it" if step == FIRST else "For several GPUs")
            drawing = small(DIAGRAMS[DRAWN[number]]().svg()) if number in DRAWN else ""
            return (f'<li><a href="step_{number}.html">{drawing}<b>{html.escape(step_title(step))}</b></a><p>{html.escape(idea(step))}</p>'
                    f"<p>{said}.</p></li>")

        return f'<ul class="cards">{"".join(map(card, step_names()))}</ul>'

    def figure(self, name, text):
        shutil.copy(self.results.at(name), self.html)
        stamp = self.results.stamp(Path(name).stem.split("-")[0])  # maps-figure-3.svg is drawn from maps.json
        return drawn(f'<img src="{name}" alt="{html.escape(self.shown_by(Path(name).stem))}"/>', text,
                     stamp=f' <span class="stamp">{html.escape(stamp)}</span>')

    def shown_by(self, chart):
        """Returns what a chart shows, in words, with the numbers of its record."""
        if chart not in CHARTS:
            raise BadQuery(f"docs/charts.md does not say what {chart} shows")
        return MACRO.sub(lambda number: self.results.text(number[1]), CHARTS[chart])

    def picture(self, name, text):
        for kind in ("webp", "png"):
            shutil.copy(DOCS / "images" / f"{name}.{kind}", self.html)
        return drawn(f'<picture><source media="(prefers-reduced-motion: reduce)" srcset="{name}.png">'
                     f'<img src="{name}.webp" data-still="{name}.png" alt="{html.escape(text)}"></picture>', text, ' class="picture"')

    def widget(self, name, text):
        scripts, self.scripts = [*self.scripts, f"{name}.js"], []
        for script in scripts:
            shutil.copy(DOCS / "widgets" / script, self.html)
        measured = self.results.document("ladder")["device"]
        device = {"name": measured["name"], "multiprocessors": measured["multiprocessors"], "clock": measured["fma_clock_ghz"]}
        return (f'<figure class="widget" id="{name}" aria-label="{html.escape(text)}" data-device="{html.escape(json.dumps(device))}">'
                f"</figure><noscript>{html.escape(text)}: this picture needs JavaScript.</noscript>"
                + "".join(f'<script src="{script}"></script>' for script in scripts))


def text_of(page):
    """Returns the text of a page of docs/pages, with all {{made NAME}}."""
    def made(line):
        module = importlib.import_module(f"common.tools.{MADE[line[1]]}")
        return getattr(module, line[1])(*filter(None, [line[2]]))

    return MADE_LINE.sub(made, page.read_text())


def small(drawing):
    """Returns a drawing for eyes only: without words, which would be too small to read."""
    drawing = re.sub("<(text|title|defs)[ >].*?</\\1>", "", drawing)
    return re.sub(' (?:width|marker-end)="[^"]*"(?= [rx]|/>)', "", drawing).replace('role="img"', 'aria-hidden="true"', 1)


def drawn(picture, text, kind="", stamp=""):
    return f"<figure{kind}>{picture}<figcaption>{html.escape(text)}{stamp}</figcaption></figure>"


def page_of(path):
    """Returns a file of docs/ that is also read alone: with a name for links, links that lead out replaced by their text (as
    code if it is a name), and recorded figures as on pages.
    """
    text = re.sub(r"^# (.*)$", rf"# \1 {{#{path.stem}}}", path.read_text(), count=1, flags=re.MULTILINE)
    text = re.sub(r"!\[([^]]+)\]\(results/\w+/([^)]+)\)", r"{{figure \2: \1}}", text)
    text = re.sub(r"\[([^]]+)\]\(pages/(\w+)\.md\)", r'\\ref \2 "\1"', text)
    return re.sub(r"\[([^]]+)\]\((?:\.\./|results/)[^)]+\)",
                  lambda link: link[1] if " " in link[1] else f"`{link[1]}`", text)


def with_anchor(line, page):
    """Returns a heading, or a row of the glossary, with a name that links can use."""
    def name(words):
        return f"{page}_{re.sub(r'[^a-z0-9]+', '_', words.lower()).strip('_')}"

    if heading := HEADING.fullmatch(line):
        return f"{line} {{#{name(heading[1])}}}"
    if page == "glossary" and (term := TERM.fullmatch(line)):
        return f"| \\anchor {name(term[1])} {term[1]} {term[2]}"
    return line
