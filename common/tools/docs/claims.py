"""What the tutorials claim, as numbers that every recorded GPU can confirm or contradict, and the table that compares GPUs."""

import html
import math
import re
from dataclasses import dataclass

from common.tools.docs import results
from common.tools.docs.results import BadQuery, Results


@dataclass(frozen=True)
class Claim:
    page: str
    words: str
    query: str  # of results.py
    least: float = -math.inf
    most: float = math.inf
    form: str = ".2f"


def times(slow, fast):
    return f"ladder {slow} force_ms.median / ladder {fast} force_ms.median"


CLAIMS = [
    Claim("measuring", "the FMA probe reaches nearly all that lanes and clock give", "ladder device.fma_share_of_theory", 0.95),
    Claim("measuring", "a step of the leapfrog costs hardly more than its forces, N = 1,048,576",
          "ladder 04 1048576 step_ms.median / ladder 04 1048576 force_ms.median", most=1.02, form=".3f"),
    Claim("step_01", "few warps wait: at N = 16,384 less than a fifth of what the instructions allow",
          "ladder 01 16384 predicted_share", most=0.2),
    Claim("step_02", "at N = 262,144 the tile gains little", times("01 262144", "02 262144"), 1, 1.2),
    Claim("step_02", "at N = 16,384 it gains several times", times("01 16384", "02 16384"), 2),
    Claim("step_02", "at N = 16,384 blocks of 128 beat blocks of 1,024",
          "block 02 16384 block=128 gflops / block 02 16384 block=1024 gflops", 1),
    Claim("step_03", "several bodies a thread gain over the tile, N = 262,144", times("02 262144", "03 262144"), 1),
    Claim("step_03", "64 sources in an iteration beat four, N = 16,384",
          "unroll 03 16384 unroll=64 gflops / unroll 03 16384 unroll=4 gflops", 1),
    Claim("step_04", "threads that share a body gain at N = 16,384", times("03 16384", "04 16384"), 1.1),
    Claim("step_04", "at N = 262,144 the two are nearly equal", times("03 262144", "04 262144"), 0.95, 1.05),
    Claim("step_04", "at N = 1,024 32 threads a body are several times as fast as one",
          "threads 04 1024 threads_per_body=32 gflops / threads 04 1024 threads_per_body=1 gflops", 2),
    Claim("step_04", "at N = 65,536 they cost time",
          "threads 04 65536 threads_per_body=32 gflops / threads 04 65536 threads_per_body=1 gflops", most=1),
    Claim("step_04", "many short sums err less than a tenth of a long one, N = 262,144",
          "ladder 04 262144 error.median / ladder 03 262144 error.median", most=0.1, form=".3f"),
    Claim("step_05", "each pair once beats the tuned step 04, N = 262,144",
          times("04_tuned 262144", "05 262144 equal_masses=ignored"), 1),
    Claim("step_05", "with equal masses the credited rate is above that of the FMA units, N = 262,144",
          "ladder 05 262144 equal_masses=used fma_share", 1),
    Claim("step_05", "with masses in the loop it is not", "ladder 05 262144 equal_masses=ignored fma_share", most=1),
    Claim("step_05", "at N = 4,096 step 04 is still faster",
          "bodies 05 4096 force_ms.median / bodies 04 4096 force_ms.median", 1),
    Claim("step_06", "a tree built on the host loses to all pairs at N = 16,384",
          times("06 16384", "05 16384 equal_masses=ignored"), 1),
    Claim("step_06", "and wins at N = 1,048,576", times("05 1048576 equal_masses=ignored", "06 1048576"), 1),
    Claim("step_06", "there its walk takes less than half of its time: most is building",
          "ladder 06 1048576 parts_ms.fused_walk / ladder 06 1048576 force_ms.median", most=0.5),
    Claim("step_07", "built on the device the tree is over ten times as fast, N = 262,144", times("06 262144", "07 262144"), 10,
          form=".1f"),
    Claim("step_07", "its walk takes most of the time, N = 1,048,576",
          "ladder 07 1048576 parts_ms.walk / ladder 07 1048576 force_ms.median", 0.5),
    Claim("profiling", "at N = 262,144 step 03 stays below nine tenths of what its instructions allow",
          "ladder 03 262144 predicted_share", most=0.9),
    Claim("profiling", "multiply-adds of three registers, in the worst order, cannot issue in every cycle",
          "issue loop=operandLoop<3,16> issue_rate", most=0.9, form=".3f"),
    Claim("profiling", "those of two registers nearly can", "issue loop=operandLoop<2,0> issue_rate", 0.95, form=".3f"),
    Claim("profiling", "a product in the place of the root changes little",
          "issue loop=forceLoop<1,2> issue_rate / issue loop=forceLoop<0,2> issue_rate", 0.9, 1.1),
]


def devices(root=None):
    """The folders of results of a ladder on a GPU."""
    folders = sorted(path.parent for path in (root or results.RESULTS).glob("*/ladder.json"))
    return [Results(folder) for folder in folders]


def verdict(claim, recorded):
    """(whether it holds, None where that is not recorded, and its number as shown)."""
    try:
        value = recorded.number(claim.query)
    except BadQuery:
        return None, "not recorded"
    holds = claim.least <= value <= claim.most
    return holds, format(value, claim.form)


def cell(claim, recorded):
    holds, shown = verdict(claim, recorded)
    word = {True: "holds", False: "does not", None: ""}[holds]
    return f'<td class="figure">{" ".join(filter(None, [word, f"({shown})" if word else shown]))}</td>'


def bound(claim):
    """What the number must be."""
    low = "" if claim.least == -math.inf else f"{claim.least:g}"
    high = "" if claim.most == math.inf else f"{claim.most:g}"
    return f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"


def name_of(recorded):
    """NVIDIA H100 80GB HBM3 -> H100"""
    name = recorded.document("ladder")["device"]["name"].replace("NVIDIA ", "", 1)
    return re.sub(r" \d+GB HBM\w+$", "", name)


def table(_, root=None):
    """A row for each claim, a column for each GPU."""
    columns = devices(root)
    heading = "".join(f"<th>{html.escape(words)}</th>" for words in ("claim", *map(name_of, columns), "the number must be"))
    rows = [f'<tr><td><a href="{claim.page}.html">{html.escape(claim.page.replace("step_", ""))}</a>: '
            f"{html.escape(claim.words)}</td>{''.join(cell(claim, each) for each in columns)}<td>{bound(claim)}</td></tr>"
            for claim in CLAIMS]
    stamps = "; ".join(f"{name_of(each)}: commit {each.document('ladder')['suite']['commit']}" for each in columns)
    return ('<table class="results"><tbody tabindex="0">' + "\n".join([f"<tr>{heading}</tr>", *rows]) + "</tbody></table>\n"
            f'<p class="stamp">{html.escape(stamps)}</p>\n')


TABLES = {"claims": table}
