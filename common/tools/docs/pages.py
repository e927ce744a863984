"""Makes the pages of the docs from docs/pages/*.md: each {{...}} becomes text or HTML.

    {{ladder 04 262144 gflops}}         a number of a recorded result (results.py)
    {{gems 31.4.1: 163 GFLOP/s}}        a number quoted from GPU Gems 3, chapter 31, with its section
    {{map 4.1: 7%}} {{octgrav 3: 64}}   from the paper on triangular maps, from that on octgrav
    {{nvidia H200: 4.8 TB/s}}           from NVIDIA's data sheet of that card
    {{figure unroll.png: caption}}      a recorded figure, stamped
    {{picture million: caption}}        docs/images/million.webp, which moves, or .png for who asks for less motion
    {{diagram tile: caption}}           drawn by tile() of docs/diagrams/*.py, in the page's own colours
    {{widget tile-schedule: title}}     docs/widgets/tile-schedule.js, an interactive picture
    {{table ladder}} {{table 04}} {{table 06: 05}} {{table instructions}}
    {{table public_programs}}           how public programs ran on the executor (public_programs.py has more of them)
    {{gallery}}                         a row that leads to the movies' page, where they have been made
    {{excerpt ncu_04_1024: Occupancy}}  lines of a recorded text, from the first with these words to the next empty one
    {{quote 02_tiled/forces.cu forcesKernel}}          a function with its comment, or a part of it (quotes.py)
    {{quote 04_x/forces.cu forcesKernel: "real4 body" to "for (int b"}}
    <details><summary>words</summary>   a fold: all to the line </details>, each on a line of its own
    {{diff 03}} {{diff 04_tuned}} {{mutant 02_early_return}} {{transcript 02_last_tile_skipped}}

    {{if ladder 04 262144 energy.watts}}    the lines up to {{else}} or {{end}} where that is recorded, else those up to {{end}}

Each is replaced by one line, so that doxygen's warnings name the lines of docs/pages.
"""

import html
import importlib
import json
import re
import shutil
import sys
from pathlib import Path

from common.base.command_line import ROOT
from common.tools.docs import evidence, gpus, public_programs, tables
from common.tools.docs.contents import Contents, with_anchors
from common.tools.docs.quotes import quoted
from common.tools.docs.results import BadQuery

DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "diagrams"))
DIAGRAMS = {name: draw for module in ("all_pairs", "machine", "ranks", "tree", "triangle")
            for name, draw in vars(importlib.import_module(module)).items()}
GALLERY = DOCS / "gallery.md"  # a page of movies, shown where they have been made
FOLD = re.compile(r"<details><summary>.+</summary>|</details>")
MACRO = re.compile(r"\{\{(.+?)\}\}")
TITLE = re.compile(r"# .*\{#(\w+)\}")
TABLES = {"ladder": tables.ladder, "instructions": tables.instructions, "other_codes": tables.other_codes, **public_programs.TABLES,
          **evidence.TABLES, **gpus.TABLES}
SOURCES = {
    "gems": "GPU Gems 3, chapter 31, section {}",
    "map": "Navarro, Bustos and Hitschfeld, section {}",
    "octgrav": "Gaburov, Bedorf and Portegies Zwart, section {}",
    "nvidia": "NVIDIA, data sheet of the {}",
}


class BadPage(Exception):
    """One line: page, line and what is wrong there."""


class Pages:
    """Writes pages and what they include under a folder."""

    def __init__(self, results, folder):
        self.results = results
        self.pages = folder / "pages"
        self.generated = folder / "generated"
        self.html = folder / "html"
        self.gallery = GALLERY.exists() and (folder / "movies").is_dir()
        self.compared = len(gpus.devices()) > 1
        self.contents = Contents([page for page, there in (("gallery", self.gallery), ("gpus", self.compared)) if not there])
        for made in (self.pages, self.generated, self.html):
            shutil.rmtree(made, ignore_errors=True)
            made.mkdir(parents=True)

    def write_all(self):
        texts = {page.name: page.read_text() for page in sorted(DOCS.glob("pages/*.md"))}
        texts.update({name: page_of(DOCS / name) for name in ("mutants.md", "results.md")})
        if self.gallery:
            texts["gallery.md"] = page_of(GALLERY)
        if self.compared:
            texts["gpus.md"] = page_of(DOCS / "gpus.md")
        for name, text in texts.items():
            self.write(name, text, TITLE.match(text)[1])

    def write(self, name, text, page=None):
        """A file's text; page is its name in the contents, None for what is not in them."""
        lines = []
        self.page = Path(name).stem
        self.scripts = ["widgets.js"]  # what the page's first widget brings for all
        for number, line in enumerate(evidence.recorded_lines(text.splitlines(), self.results), 1):
            try:
                made = MACRO.sub(lambda macro: self.expanded(macro[1].strip()), line)
            except (BadQuery, StopIteration, OSError, KeyError, ValueError) as error:
                raise BadPage(f"docs/pages/{name}:{number}: {error or 'no such name'}") from error
            # A number and a full stop at the start of a line would begin a list.
            if FOLD.fullmatch(made):  # Doxygen would end it at an empty line
                made = self.included(f"fold_{self.page}_{number}", made)
            lines.append(re.sub(r"^([\d.,]+)\. ", r"\1\. ", made) if line.startswith("{{") else made)
        if page:
            lines = [*with_anchors(lines, page), "", self.included(f"foot_{page}", self.foot(name, page))]
        (self.pages / name).write_text("\n".join(lines) + "\n")

    def foot(self, name, page):
        try:
            return self.contents.foot(page)
        except ValueError as error:
            raise BadPage(f"docs/pages/{name}: {error}") from error

    def expanded(self, macro):
        word, _, rest = macro.partition(" ")
        if word == "gallery":
            return "| \\subpage gallery | bodies in motion |" if self.gallery else ""
        name, _, text = (part.strip() for part in rest.partition(":"))
        if word in SOURCES:
            return f'<span class="quoted" title="{html.escape(SOURCES[word].format(name))}">{text}</span>'
        if word == "quote":
            return self.quote(*name.partition(" ")[::2], text)
        if word == "figure":
            return self.figure(self.results.at(name), text)
        if word == "picture":
            return self.picture(name, text)
        if word == "diagram":
            return self.included(f"diagram_{name}", f'<figure class="diagram">{DIAGRAMS[name]().svg()}'
                                 f"<figcaption>{html.escape(text)}</figcaption></figure>")
        if word == "widget":
            return self.widget(name, text)
        if word == "table":
            made = TABLES.get(name)
            return self.included(f"table_{name}", made(self.results) if made else tables.rows_of(self.results, name, text))
        if word == "excerpt":
            recorded = self.results.at(f"{name}.txt").read_text()
            return self.included(f"{name}_{re.sub(r'[^a-z]+', '_', text.lower())}", tables.excerpt(recorded, text))
        if word in ("diff", "mutant", "transcript"):
            return self.included(f"{word}_{name}", getattr(tables, word)(name))
        return self.results.text(macro)

    def included(self, name, text):
        (self.generated / f"{name}.html").write_text(text)
        return f"\\htmlinclude[block] {name}.html"

    def quote(self, file, function, stretch):
        name = re.sub(r"\W+", "_", f"{file} {function} {stretch}").strip("_") + Path(file).suffix
        # What Doxygen makes of a comment's \\p is not made of it in a listing.
        (self.generated / name).write_text(quoted(file, function, stretch).replace("\\p ", ""))
        return f"\\include {name}"

    def figure(self, path, text):
        shutil.copy(path, self.html / path.name)
        data = path.stem.split("-")[0]  # maps-figure-3.png is drawn from maps.json
        stamp = f'<span class="stamp">{html.escape(self.results.stamp(data))}</span>'
        return self.included(f"figure_{self.page}_{path.stem}", f'<figure><img src="{path.name}" alt="{html.escape(text)}"/>'
                             f"<figcaption>{html.escape(text)} {stamp}</figcaption></figure>")

    def picture(self, name, text):
        for kind in ("webp", "png"):
            shutil.copy(DOCS / "images" / f"{name}.{kind}", self.html)
        return self.included(f"picture_{name}", (
            f'<figure class="picture"><picture><source media="(prefers-reduced-motion: reduce)" srcset="{name}.png">'
            f'<img src="{name}.webp" alt="{html.escape(text)}"></picture><figcaption>{html.escape(text)}</figcaption></figure>'))

    def widget(self, name, text):
        shared, self.scripts = self.scripts, []
        for script in (DOCS / "widgets" / "widgets.js", DOCS / "widgets" / f"{name}.js"):
            shutil.copy(script, self.html / script.name)
        measured = self.results.document("ladder")["device"]
        device = html.escape(json.dumps({"name": measured["name"], "multiprocessors": measured["multiprocessors"],
                                         "clock": measured["fma_clock_ghz"]}))
        return self.included(f"widget_{name}", (
            f'<figure class="widget" id="{name}" aria-label="{html.escape(text)}" data-device="{device}"></figure>'
            f"<noscript>{html.escape(text)}: this picture needs JavaScript.</noscript>"
            + "".join(f'<script src="{script}"></script>' for script in [*shared, f"{name}.js"])))


def page_of(path):
    """A file of docs/ that is read on its own too: with a name for links; of those that lead out, the text, as code where
    it is a name; recorded figures as a page has them."""
    text = re.sub(r"^# (.*)$", rf"# \1 {{#{path.stem}}}", path.read_text(), count=1, flags=re.MULTILINE)
    text = re.sub(r"!\[([^]]+)\]\(results/\w+/([^)]+)\)", r"{{figure \2: \1}}", text)
    text = re.sub(r"\[([^]]+)\]\(pages/(\w+)\.md\)", r'\\ref \2 "\1"', text)
    return re.sub(r"\[([^]]+)\]\((?:\.\./|results/)[^)]+\)",
                  lambda link: link[1] if " " in link[1] else f"`{link[1]}`", text)
