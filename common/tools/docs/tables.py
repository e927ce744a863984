"""Tables, diffs and reports of the docs, as HTML from the recorded results and the steps' own files."""

import difflib
import html
import itertools
import json
import math
import re

from common.base.command_line import ROOT
from common.grader.exercises import mutant_corpus
from common.tools.build import programs_of, step_named
from common.tools.docs.results import BadQuery
from common.tools.ladder.acts import Acts
from common.tools.ladder.pages import FRONT_COLUMNS, SITE_COLUMNS, front_finding, front_rows, front_stamp, site_legend, site_rows
from common.tools.ladder.recorded import Recorded
from common.tools.ladder.table import (CLASSES_LEGEND, COLUMNS, INSTRUCTION_COLUMNS, cells, instruction_cells, row_name,
                                       shown, three_digits)
from common.tools.programs import grouped


EQUAL_ERROR = 4e-4  # 99th percentile at which other codes are compared


def ms_at(runs, error):
    """Returns the time at a 99th percentile of the error: between the two nearest settings, on logarithmic scales."""
    points = sorted((math.log(run["error"]["p99"]), math.log(run["ms"])) for run in runs)
    for (x, y), (next_x, next_y) in itertools.pairwise(points):
        if x <= math.log(error) <= next_x:
            return math.exp(y + (next_y - y) * (math.log(error) - x) / (next_x - x))
    raise BadQuery(f"no two settings have errors around {error:g}")


def how_built(document, names):
    """Returns how other codes were built, and what was changed in them."""
    return " ".join(f"{name}: {code['source']}, commit {code['commit'][:7]} of {code['date']}, {code['build']}; changed: {code['changed']}."
                    for name in names for code in [document["codes"][name]])


def measured_on(document):
    return f"{document['device']['name']}, {document['date']}, commit {document['suite']['commit']}"


def other_trees(results):
    """Returns Bonsai next to step 10 at the same error, for several numbers of bodies."""
    document = results.document("other_codes")
    rows = []
    groups = grouped(document["runs"], lambda run: (run["scene"] == "cube", run["bodies"], run["scene"]))
    for (_, bodies, scene), runs in sorted(groups.items()):
        other, own = (ms_at([run for run in runs if run["code"] == code], EQUAL_ERROR) for code in ("Bonsai", "10_tuned"))
        rows.append([f"{bodies:,}", scene, *map(three_digits, (other, own)), f"{other / own:.1f}"])
    code = document["codes"]["Bonsai"]
    return table(["N", "scene", "Bonsai, ms", "10_tuned, ms", "times as long"], rows,
                 f"{measured_on(document)}; {document['note']}. At a 99th percentile of {EQUAL_ERROR:g}, between the two nearest of "
                 f"three to five settings of each code. Softening {document['softening']:g}; leaves of {code['leaf']}, groups of {code['group']}. "
                 f"{how_built(document, ['Bonsai'])}",
                 {0, 2, 3, 4})


def other_sums(results):
    """Returns NVIDIA's sample and mini-nbody next to steps 04 and 05: ms of direct sums."""
    document = results.document("other_codes")
    times = {(run["code"], run["bodies"]): run["ms"] for run in document["direct"]}
    names = [*dict.fromkeys(name for name, _ in times)]
    rows = [[f"{bodies:,}", *(three_digits(times[name, bodies]) if (name, bodies) in times else "-" for name in names)]
            for bodies in sorted({bodies for _, bodies in times})]
    others = [name for name in names if name in document["codes"]]
    return table(["N", *(f"{name}, ms" for name in names)], rows,
                 f"{measured_on(document)}; measured in one run, each program with its own bodies. Both other codes at their fastest of "
                 f"128, 256 and 512 threads per block, and mini-nbody in its fastest version. {how_built(document, others)}")


# Columns of the ladder that a step's page shows, and their headings. The columns that its text mentions come first.
STEP_COLUMNS = {**{column: column for column in ("step", "N", "time ms", "% FMA", "error median", "GFLOP/s")},
                "ceiling": "ceiling GFLOP/s", "error max": "error max", "interactions/s": "interactions/s"}


def parent_of(step):
    """Returns the folder of the step's parent, from its CMakeLists.txt; None for the first step."""
    found = re.search(r"add_step\(.*\bPARENT (\w+)", (ROOT / step / "CMakeLists.txt").read_text())
    return found[1] if found else None


def table(heading, rows, note="", figures=None):
    """Returns a table. rows: of HTML cells; note: text; figures: columns aligned to the right, by default all but the first"""

    def row(tag, cells):
        kinds = (' class="figure"' if (k > 0 if figures is None else k in figures) else "" for k in range(len(cells)))
        return "<tr>" + "".join(f"<{tag}{kind}>{cell}</{tag}>" for kind, cell in zip(kinds, cells)) + "</tr>"

    # The heading is one of the rows, as in Doxygen's own tables, because the theme expects that.
    body = "\n".join([row("th", heading), *(row("td", cells) for cells in rows)])
    return f'<table class="results"><tbody tabindex="0">{body}</tbody></table>\n' + (stamp(note) if note else "")


def stamp(words):
    return f'<p class="stamp">{html.escape(words)}</p>\n'


def ladder(results):
    """Returns every step with the front page's number of bodies."""
    recorded = Recorded(results.at("ladder.json").parent)
    return table(SITE_COLUMNS, site_rows(recorded), site_legend(recorded))


def acts(results):
    """Returns README's table of the two acts, with its finding; without the steps' ideas, which are on their cards."""
    recorded = Recorded(results.at("ladder.json").parent)

    def as_html(text):
        text = re.sub(r"\[(.+?)\]\((\d\d)_.*?\)", r'<a href="step_\2.html">\1</a>', text)
        return re.sub(r"\*(.+?)\*", r"<em>\1</em>", re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text))

    rows = [[*map(as_html, row[:-1])] for row in front_rows(recorded)]
    return (table(FRONT_COLUMNS[:-1], rows, f"{recorded.device['name']}, {front_stamp(recorded)}", {1, 2, 3, 4})
            + f"<p>{as_html(front_finding(Acts(recorded.runs)))}</p>\n")


def rows_of(results, number, other=""):
    """Returns the ladder's rows of one step, with its tuned program, and of another: its parent unless a number names one."""
    step = step_named(number)
    other = step_named(other) if other else parent_of(step)
    runs = results.document("ladder")["runs"]
    ladder_rows = [cells(run, runs) for run in runs if run["step"] in (*programs_of(step), other)]
    if not any(row[0].split(",")[0] in programs_of(step) for row in ladder_rows):
        return stamp("Not in the recorded ladder yet.")
    rows = [[dict(zip(COLUMNS, row))[column] for column in STEP_COLUMNS] for row in ladder_rows]
    return table([*STEP_COLUMNS.values()], rows, results.stamp("ladder"))


def instructions(results):
    rows = [instruction_cells(results.document(path.stem)["runs"][0])
            for path in sorted(results.folder.glob("instructions_*.json"))]
    note = f"{results.stamp('instructions_01')}; instructions of one interaction, FP32. {CLASSES_LEGEND}."
    return table(INSTRUCTION_COLUMNS, rows, note)


def differing(number):
    """Returns the files that {{diff}} compares: forces.cu with the parent's; for "04_tuned" tuned.cuh with forces.cu."""
    number, _, tuned = number.partition("_")
    step = step_named(number)
    return [f"{step}/forces.cu", f"{step}/tuned.cuh"] if tuned else [f"{parent_of(step)}/forces.cu", f"{step}/forces.cu"]


def diff_lines(number):
    files = differing(number)
    before, after = ((ROOT / file).read_text().splitlines() for file in files)
    return list(difflib.unified_diff(before, after, *files, n=2, lineterm=""))


def plain_diff(number):
    """Returns the text of the second file, without the marks of a diff."""
    return "\n".join(line[1:] for line in diff_lines(number)[2:] if line.startswith(("+", " ")))


def diff(number):
    return folded_diff(f"diff {' '.join(differing(number))}", diff_lines(number)) + "\n"


def folded_diff(summary, lines):
    kinds = {"+": "added", "-": "removed", "@": "place"}
    spans = "\n".join(f'<span class="{kinds.get(line[:1], "same")}">{html.escape(line)}</span>' for line in lines)
    return (f'<details class="diff"><summary>{html.escape(summary)}</summary><pre class="diff" tabindex="0">{spans}</pre>'
            "</details>")


def mutant(name):
    """Returns the change that makes a kernel wrong, and the report of the recorded run."""
    patch = mutant_corpus.mutant(name)
    tool = "programs" if patch.whole_program else "checker"
    recorded = json.loads((ROOT / f"docs/results/mutants/{tool}.json").read_text())
    run = next(m for m in recorded["mutants"] if m["name"] == name)["runs"]["checker"]
    told = {"executor": "The executor says", "validation": "The check against FP64 says"}[run["by"]]
    lines = [line for line in patch.shown().splitlines() if not line.startswith(("---", "+++", "@@"))]
    return (f'<div class="mutant">{folded_diff(f"./run test --mutants {name}: {patch.mistake}", lines)}'
            f'<p>{told}:</p>{report(run["message"])}'
            f'<p class="stamp">recorded on the executor, commit {recorded["suite"]["commit"]}</p></div>\n')


def report(text):
    return f'<pre class="report" tabindex="0">{html.escape(text)}</pre>'


def transcript(name):
    """Returns a recorded run, complete."""
    return report((ROOT / "docs/results/mutants" / f"{name}.txt").read_text()) + "\n"


def narrowed(lines):
    """Returns the lines, with columns at most two spaces apart and the first at the left."""
    kept, blanks = [], 2
    for characters in itertools.zip_longest(*lines, fillvalue=" "):
        blanks = blanks + 1 if set(characters) <= {" ", "-"} else 0  # a rule of dashes crosses all columns
        if blanks <= 2:
            kept.append(characters)
    return ["".join(line).rstrip() for line in zip(*kept)]


def excerpt(text, begin):
    """Returns the lines of a recorded text from the first that contains `begin` to the next empty one."""
    lines = itertools.dropwhile(lambda line: begin not in line, map(str.rstrip, text.splitlines()))
    shown = "\n".join(narrowed([next(lines), *itertools.takewhile(bool, lines)]))
    return f'<pre class="excerpt" tabindex="0">{html.escape(shown)}</pre>\n'


COUNTERS = [("issue_active", ".1f"), ("eligible", ".2f"), ("stalled_dispatch_stall", ".2f"), ("stalled_mio_throttle", ".2f"),
            ("xu_pipe", ".0f")]


def profile(results):
    """ncu's time of a kernel next to the program's, and the counters that the pages read."""
    columns = ["kernel", "N", "ncu ms", "GHz", "program ms", "ncu / program", "at one clock", "issuing, % of cycles",
               "eligible warps", "dispatch_stall", "mio_throttle", "square-root unit, %"]
    rows = [[row_name(run), f"{run['bodies']:,}", shown(run["ncu_ms"], ".4g"), shown(run.get("ncu_ghz"), ".2f"),
             shown(run["program_ms"], ".4g"), shown(run["ncu_over_program"], ".2f"), shown(run.get("ncu_over_program_same_clock"), ".2f"),
             *(shown(run["metrics"].get(name), form) for name, form in COUNTERS)] for run in results.document("profile")["runs"]]
    return table(columns, rows, results.stamp("profile") + "; ncu with warm caches and free clocks")


def energy(results):
    """Returns all rows of the ladder with measured energy."""
    columns = ["step", "N", "time ms", "J per evaluation", "W", "pJ per interaction", "counter's resolution s"]
    rows = []
    for run in results.document("ladder")["runs"]:
        if energy := run.get("energy"):
            each = energy["picojoules_per_interaction"] if "flop_per_interaction" in run else None  # not for a tree
            rows.append([row_name(run), f"{run['bodies']:,}", f"{run['force_ms']['median']:.4g}", f"{energy['joules']:.3g}",
                         f"{energy['watts']:.0f}", shown(each, ".3g"), f"{energy['seconds'] / energy['updates']:.2g}"])
    return table(columns, rows, results.stamp("ladder") + "; GPU and memory, idle power included")


def occupancy(results):
    """Returns the occupancy of each step's force kernel, according to the driver."""
    rows = []
    for run in results.document("occupancy")["runs"]:
        kernel = run["kernel"]
        rows.append([row_name(run), kernel["registers"], f"{kernel['static_shared_bytes'] + kernel['dynamic_shared_bytes']:,}",
                     f"{kernel['block'][0]:,}", kernel["blocks_per_multiprocessor"], kernel["warps_per_multiprocessor"]])
    return table(["step", "registers", "shared bytes", "threads per block", "blocks per multiprocessor", "warps per multiprocessor"], rows, results.stamp("occupancy"))


def fp64(results):
    """Every step in FP64, compared with FP32."""
    columns = ["step", "N", "FP32 ms", "FP64 ms", "times as long", "FP32 error", "FP64 error", "FP64 instructions per square root"]
    rows = [[row_name(row), f"{row['bodies']:,}", f"{row['fp32_ms']:.4g}", f"{row['fp64_ms']:.4g}", f"{row['slowdown']:.2f}",
             f"{row['fp32_error']:.1e}", f"{row['fp64_error']:.1e}", shown(row.get("root_instructions"), ".1f")]
            for row in results.document("fp64")["table"]]
    return table(columns, rows, results.stamp("fp64"))


def mixed(results):
    """Returns step 03 with positions and sums in several precisions."""
    columns = ["positions", "sums", "N", "ms", "error median", "99th percentile", "largest"]
    rows = [[run["parameters"]["positions"], run["parameters"]["sums"], f"{run['bodies']:,}", f"{run['force_ms']['median']:.4g}",
             *(f"{run['error'][part]:.1e}" for part in ("median", "p99", "max"))] for run in results.document("mixed")["runs"]]
    return table(columns, rows, results.stamp("mixed"))


TABLES = {"ladder": ladder, "acts": acts, "instructions": instructions, "other_trees": other_trees, "other_sums": other_sums, "fp64": fp64, "mixed": mixed,
          "profile": profile, "energy": energy, "occupancy": occupancy}
