"""The page that compares the recorded GPUs: what each is, and which claims of the tutorials hold on it."""

import html
import math
import re

from common.tools.docs import results
from common.tools.docs.claims import CLAIMS, verdict
from common.tools.docs.results import BadQuery, Results

FACTS = [  # name, query, form
    ("multiprocessors", "ladder device.multiprocessors", "d"),
    ("compute capability", "ladder device.compute_capability", ""),
    ("clock under multiply-adds, GHz", "ladder device.fma_clock_ghz", ".2f"),
    ("multiply-adds measured, TFLOP/s", "ladder device.fma_tflops", ".1f"),
    ("L2 measured, GB/s", "roofline memory=l2 gb_per_s", ",.0f"),
    ("DRAM measured, GB/s", "roofline memory=dram gb_per_s", ",.0f"),
    ("its host: all pairs of 16,384 bodies, one thread, ms", "ladder serial 16384 force_ms.median", ".0f"),
    ("its host: the tree of 1,048,576 bodies, ms", "ladder 06 1048576 parts_ms.build", ".0f"),
]


def devices(root=None):
    """The folders of results of a ladder on a GPU."""
    folders = sorted(path.parent for path in (root or results.RESULTS).glob("*/ladder.json"))
    return [Results(folder) for folder in folders]


def name_of(recorded):
    """NVIDIA H100 80GB HBM3 -> H100"""
    name = recorded.document("ladder")["device"]["name"].replace("NVIDIA ", "", 1)
    return re.sub(r" \d+GB HBM\w+$", "", name)


def fact(query, form, recorded):
    try:
        value = recorded.value(query)
    except BadQuery:
        return "not recorded"
    return format(value, form)


def cell(claim, recorded):
    holds, shown = verdict(claim, recorded)
    word = {True: "holds", False: "does not", None: ""}[holds]
    return " ".join(filter(None, [word, f"({shown})" if word else shown]))


def bound(claim):
    """What the number must be."""
    low = "" if claim.least == -math.inf else f"{claim.least:.3g}"
    high = "" if claim.most == math.inf else f"{claim.most:.3g}"
    return f"{low} to {high}" if low and high else f"≥ {low}" if low else f"≤ {high}"


def grid(heading, rows):
    """Rows of (cell that may hold HTML, figures, words after them)."""
    head = "".join(f"<th>{html.escape(words)}</th>" for words in heading)
    lines = [f"<tr><td>{first}</td>" + "".join(f'<td class="figure">{html.escape(each)}</td>' for each in figures)
             + "".join(f"<td>{html.escape(each)}</td>" for each in last) + "</tr>" for first, figures, last in rows]
    return '<table class="results"><tbody tabindex="0">' + "\n".join([f"<tr>{head}</tr>", *lines]) + "</tbody></table>\n"


def facts(_, root=None):
    """What each GPU is: a row for each fact, a column for each GPU."""
    columns = devices(root)
    return grid(["", *map(name_of, columns)],
                [(html.escape(words), [fact(query, form, each) for each in columns], []) for words, query, form in FACTS])


def stamp(columns):
    """The commits at which the claims' numbers were measured."""
    names = {claim.query.split()[0] for claim in CLAIMS}

    def commits(recorded):
        there = [name for name in names if (recorded.folder / f"{name}.json").exists()]
        return sorted({recorded.document(name)["suite"]["commit"] for name in there})

    words = "; ".join(f"{name_of(each)}: commits {', '.join(commits(each))}" for each in columns)
    return f'<p class="stamp">{html.escape(words)}</p>\n'


def table(_, root=None):
    """A row for each claim, a column for each GPU."""
    columns = devices(root)
    rows = [(f'<a href="{claim.page}.html">{html.escape(claim.page.replace("step_", ""))}</a>: {html.escape(claim.words)}',
             [cell(claim, each) for each in columns], [claim.number, bound(claim)]) for claim in CLAIMS]
    return grid(["claim", *map(name_of, columns), "the number", "must be"], rows) + stamp(columns)


TABLES = {"gpus": facts, "claims": table}
