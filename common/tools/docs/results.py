"""Looks up numbers of the recorded results when the docs' pages are made.

A query names a file of docs/results/<device>/, words that choose one of its runs, and a field of that run:

    ladder 04 262144 gflops                 step 04 at N = 262,144; 04_tuned, 06_lists: its other programs
    unroll 03 16384 unroll=8 gflops         word=value: a parameter, or a field of the run
    ladder device.fma_tflops                a field of the whole file
    pairs 262144 first gflops               the first of several runs
    ranks_prediction exchange=ring 16384 ranks=2 speedup        in all lists, if there are no runs
    ranks table exchange=ring 16384 scaling=strong speedup      in another list of the file: the table that the figure shows
    maps exactness map=lambda-x exact_up_to
    ncu_04_262144 eligible                  a line of ncu's text, in full or by a name of METRICS
    registers_03 <32, 4>                    registers of a kernel, by its template arguments

Queries and plain numbers with " * " and " / " between them are calculated from left to right. A "| format" at the end
is Python's; without one, numbers of at least 100 are rounded to integers, and others have four digits.
"""

import itertools
import json
import re

from common.base.command_line import ROOT
from common.tools.ladder.profile import METRICS

RESULTS = ROOT / "docs" / "results"


class BadQuery(Exception):
    """One line: a query that no recorded result answers."""


# The device whose results the pages show. A record that it has not is an experiment, or of a second card, or of no device (counts,
# errors). Each figure and table names its device.
SHOWN = "h200"
ELSEWHERE = ("experiments", "h100", ".")


class Results:
    """The recorded results that the pages show; or those of one device, given by its folder below docs/results/ or its path."""

    def __init__(self, device=None):
        self.folder = RESULTS / (device or SHOWN)
        self.folders = [self.folder, *([] if device else (RESULTS / name for name in ELSEWHERE))]
        self.documents = {}

    def at(self, name):
        """Returns the path of a recorded file or figure, in the first folder that has it."""
        return next((folder / name for folder in self.folders if (folder / name).exists()), self.folder / name)

    def read(self, name):
        if not self.at(name).exists():
            raise BadQuery(f"there is no {name} in {self.at(name).parent.name}")
        return self.at(name).read_text()

    def document(self, name):
        if name not in self.documents:
            self.documents[name] = json.loads(self.read(f"{name}.json"))
        return self.documents[name]

    def stamp(self, name):
        """Returns GPU, commit and date of a file, which every table and figure shows."""
        document = self.document(name)
        sizes = sorted({run["bodies"] for run in document["runs"] if "bodies" in run})
        bodies = f"N = {sizes[0]:,}" if len(sizes) == 1 else f"N = {sizes[0]:,} to {sizes[-1]:,}" if sizes else ""
        device = document["device"]
        parts = [device["name"], f"CUDA {device['cuda']}", bodies, f"commit {document['suite']['commit']}", document.get("date", "")[:10]]
        return ", ".join(filter(None, parts))

    def value(self, query):
        name, *words = query.split()
        if not words:
            raise BadQuery(f"'{query}' names no field")
        if name.startswith("ncu_"):
            metric = " ".join(words)
            metric = METRICS.get(metric, metric)
            return self.line(name, rf"^\s+{re.escape(metric)}\s.*?([\d.,]+)\s*$", query)
        if name.startswith("registers_"):
            return self.line(name, rf"^{re.escape(' '.join(words))}\s+REG:(\d+)", query)
        document = self.document(name)
        field = words.pop()
        if not words and isinstance(document.get(field.split(".")[0]), dict):
            return walk(document, field, query)
        lists = [word for word in words if isinstance(document.get(word), list)]
        if lists:
            words.remove(lists[0])
            runs = document[lists[0]]
        else:
            predicted = (part for part in document.values() if isinstance(part, list))
            runs = document["runs"] if "runs" in document else itertools.chain(*predicted)
        runs = [run for run in runs if all(fits(run, word) for word in words)]
        if len(runs) > 1 and "first" in words:
            runs = runs[:1]
        if len(runs) != 1:
            raise BadQuery(f"'{query}' fits {len(runs)} runs, not one")
        return walk(runs[0], field, query)

    def line(self, name, pattern, query):
        """Returns the number that the pattern finds in a recorded text."""
        values = re.findall(pattern, self.read(f"{name}.txt"), re.MULTILINE)
        if not values or len({*values}) != 1:
            raise BadQuery(f"'{query}' fits {len(values)} lines, not one")
        return float(values[0].replace(",", ""))

    def number(self, terms):
        """Returns the value of queries with " * " and " / " between them, or the text if a query names a text."""
        words = re.split(r" ([*/]) ", terms)
        value, *others = [float(term) if re.fullmatch(r"[\d.e-]+", term) else self.value(term) for term in words[::2]]
        for operator, other in zip(words[1::2], others):
            value = value * other if operator == "*" else value / other
        return value

    def text(self, expression):
        """Returns the text that a page shows instead of an expression."""
        terms, _, form = (part.strip() for part in expression.partition("|"))
        value = self.number(terms)
        if isinstance(value, str):
            return value
        return format(value, form) if form else plain(value)


def walk(tree, field, query):
    for word in field.split("."):
        if not isinstance(tree, dict) or word not in tree:
            raise BadQuery(f"'{query}' has no field '{word}'")
        tree = tree[word]
    return tree


def fits(run, word):
    key, equals, value = word.partition("=")
    if equals:
        return value == str({**run, **run.get("metrics", {}), **run.get("parameters", {})}.get(key))
    if re.fullmatch(r"\d\d", word):
        return re.match(rf"{word}_(?!(tuned|lists)(_|$))", run.get("step", "")) is not None
    return word in (str(run.get("bodies")), run.get("step"), "first")


def plain(value):
    """Returns 12,346; 15.25; 1.5e-07."""
    if value and not 1e-3 <= abs(value) < 1e9:
        return f"{value:.1e}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.4g}"
