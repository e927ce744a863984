"""A deck of slides for each step, cut from its built page: slides_01.html beside step_01.html.

A slide has a heading of the page and the first sentences of the paragraphs below it, or one picture, table or report.
What the page folds is not shown, because exercises ask for it. Nothing is written for the slides alone, so they say what
the page says; docs/theme/slides.css and slides.js lay them out, for the screen and for paper.
"""

import html
import re

from common.tools.build import step_names
from common.tools.docs.blocks import Blocks, first_sentence, inner

POINTS = 4  # on a slide, at most
BESIDE = 2  # above a picture, at most
LEFT_OUT = ("Further reading",)
MATHJAX = re.compile(r'<script type="text/x-mathjax-config">.*?MathJax\.js"></script>', re.DOTALL)


class Deck:
    """The slides of one page: heading and contents of each."""

    def __init__(self, page):
        self.title = html.unescape(re.search(r"<title>.*?: (.*)</title>", page)[1])
        self.slides, self.points, self.scripts = [], [], []
        self.heading = None  # none yet: what comes first is the question
        for block in Blocks(page).found:
            self.add(*block)
        self.flush()

    def flush(self):
        """Slides of the points that came since the last."""
        for first in range(0, len(self.points), POINTS):
            self.slide("<ul>" + "".join(self.points[first : first + POINTS]) + "</ul>")
        self.points = []

    def slide(self, contents):
        if not any(words in (self.heading or "") for words in LEFT_OUT):
            self.slides.append((self.heading or self.title, contents))

    def add(self, tag, classes, element):
        if tag in ("h1", "h2", "h3"):
            self.flush()
            self.heading = inner(element)
        elif self.heading is None and tag == "p":
            self.slide(element)
        elif "formulaDsp" in classes:
            self.points.append(f'<li class="formula">{element}</li>')
        elif "stamp" in classes:
            self.slides[-1] = (self.heading, self.slides[-1][1] + element)
        elif tag == "p":
            self.point(inner(element))
        elif tag in ("ul", "ol"):
            for item in re.findall(r"<li>(.*?)</li>", element, re.DOTALL):
                self.point(re.sub(r"</?p ?>", "", item))
        elif tag == "script":
            self.scripts.append(element)
        elif tag in ("figure", "table") or "mutant" in classes:
            self.picture(without_folds(element))

    def picture(self, element):
        above = ""
        if 0 < len(self.points) <= BESIDE and 'class="widget"' not in element:  # that takes the whole slide
            above, self.points = f"<ul>{''.join(self.points)}</ul>", []
        self.flush()
        self.slide(above + element)

    def point(self, text):
        sentence = first_sentence(text)
        if sentence and not MATHJAX.search(sentence):
            self.points.append(f"<li>{sentence}</li>")


def without_folds(element):
    """With the words of each fold, but not what it hides."""
    return re.sub(r"<details[^>]*><summary>(.*?)</summary>.*?</details>", r"<p>\1</p>", element, flags=re.DOTALL)


def written(page, address):
    """The deck of a page, as a page of its own."""
    deck = Deck(page)
    mathjax = MATHJAX.search(page)
    sections = "\n".join(f'<section id="s{number}"><h1>{heading}</h1>\n{contents}\n<footer><a href="{address}">'
                         f"{html.escape(deck.title)}</a><span>{number} / {len(deck.slides)}</span></footer></section>"
                         for number, (heading, contents) in enumerate(deck.slides, 1))
    title = html.escape(deck.title)
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/><title>{title}: slides</title>\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"/>\n{mathjax[0] if mathjax else ""}\n'
            '<link href="ladder.css" rel="stylesheet"/><link href="slides.css" rel="stylesheet"/></head>\n'
            f'<body>\n{sections}\n{"".join(deck.scripts)}\n<script src="slides.js"></script></body></html>\n')


def name_of(step):
    return f"slides_{step[:2]}.html"


def write(folder):
    """The decks of all steps beside their pages."""
    for step in step_names():
        address = f"step_{step[:2]}.html"
        (folder / name_of(step)).write_text(written((folder / address).read_text(), address))
