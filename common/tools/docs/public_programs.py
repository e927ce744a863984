"""Tables of the public programs: how each ran on the executor, what the checker reported, what was left out."""

import html
import json
import re
import statistics

from common.base.command_line import ROOT
from common.tools.cuda import corpus_list
from common.tools.cuda.corpus_run import MODES
from common.tools.docs import tables
from common.tools.programs import grouped

RECORDED = ROOT / "docs" / "results" / "plain_cuda" / "corpus.json"
BUGS = corpus_list.FOLDER / "bugs.json"
GOOD = ("passes", "runs")
# A shorter plain run is mostly the start of a process, and does not show what checking costs.
LEAST_SECONDS = 0.1
HEADINGS = {"programs": ["program", "without checker", "CPU s", "with checker", "CPU s", "checked / plain", "sampled / plain",
                         "reports"],
            "summary": ["collection", "programs", "compile", "succeed without checker", "succeed with checker", "with reports",
                        "checked / plain (median)", "sampled / plain (median)"],
            "answers": ["", "programs with a race", "reported", "programs without a race", "reported",
                        "precision: reports that are correct", "recall: races that are reported"],
            "bugs": ["program and line", "what is wrong", "does it matter?"],
            "left out": ["repository", "reason", "programs"]}


def recorded():
    return json.loads(RECORDED.read_text())


def bugs():
    """Returns the entries of bugs.json: program, report (a pattern), at, what, matters; or false if the report is wrong."""
    return json.loads(BUGS.read_text())


def stamp(document):
    halves = [run[mode] for run in document["runs"] for mode in MODES if mode in run]
    devices, commits = (sorted({half[key] for half in halves}) for key in ("device", "commit"))
    many = "s" if len(commits) > 1 else ""
    return f"{'; '.join(devices)}; {document['recorded']}; commit{many} {', '.join(commits)}"


def times(run, mode="checked"):
    """Returns how many times as much CPU time as the plain run a run took; None if one of the two is unknown."""
    both = [run.get(half, {}) for half in ("plain", mode)]
    if not all(half.get("outcome") in GOOD for half in both) or both[0]["cpu_s"] < LEAST_SECONDS \
            or both[0]["device"] != both[1]["device"]:
        return None
    return both[1]["cpu_s"] / both[0]["cpu_s"]


def by_place(document):
    """Returns the runs by (repository, folder)."""
    return grouped(document["runs"], lambda run: (run["repository"], run["folder"]))


def shown(number):
    return f"{number:.1f}" if number is not None else ""


def cells(run):
    plain, checked = run.get("plain", {}), run.get("checked", {})
    name = f"{run['program']}" + (f" {run['arguments']}" if run["arguments"] not in run["program"] else "")
    found = checked.get("reports", ())
    return [html.escape(name), html.escape(plain.get("outcome", "not run")), shown(plain.get("cpu_s")),
            html.escape(checked.get("outcome", "not run")), shown(checked.get("cpu_s")), shown(times(run)),
            shown(times(run, "sampled")), str(len(found)) if found else ""]


def programs(_):
    document = recorded()
    parts = [f"<p><b>{'/<wbr>'.join(place)}</b></p>\n"
             + tables.table(HEADINGS["programs"], map(cells, runs), figures=(2, 4, 5, 6, 7))
             for place, runs in by_place(document).items()]
    return "".join(parts) + tables.stamp(stamp(document))


def sums(name, runs):
    """Returns a row of the summary."""
    plain, checked = ([run.get(mode, {}) for run in runs] for mode in ("plain", "checked"))
    medians = []
    for mode in ("checked", "sampled"):
        ratios = [ratio for run in runs if (ratio := times(run, mode))]
        medians.append(shown(statistics.median(ratios) if ratios else None))
    compile_well = sum("run_s" in one or "run_s" in other for one, other in zip(plain, checked))
    counts = [len(runs), compile_well, sum(half.get("outcome") in GOOD for half in plain),
              sum(half.get("outcome") in GOOD for half in checked), sum(bool(half.get("reports")) for half in checked)]
    return [html.escape(name), *map(str, counts), *medians]


def summary(_):
    document = recorded()
    rows = [sums("/".join(place), runs) for place, runs in by_place(document).items()]
    return tables.table(HEADINGS["summary"], [*rows, sums("all", document["runs"])], stamp(document))


def percent(part, whole):
    return f"{100 * part / whole:.0f}%" if whole else "-"


def answers(_):
    """Returns precision (the share of reports that are correct) and recall (the share of races that are reported)."""
    document = recorded()
    rows = []
    for repository, runs in grouped([run for run in document["runs"] if "answer" in run], lambda run: run["repository"]).items():
        races, others = ([any("race on" in text for text in run["checked"]["wanted"]) for run in runs if run["answer"] == answer]
                         for answer in ("race", "none"))
        rows.append([html.escape(repository), *map(str, (len(races), sum(races), len(others), sum(others))),
                     percent(sum(races), sum(races) + sum(others)), percent(sum(races), len(races))])
    return tables.table(HEADINGS["answers"], rows, stamp(document))


def with_code(text):
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def found_bugs(_):
    rows = [[f"{html.escape(bug['program'])}<br>{html.escape(bug['at'])}", with_code(bug["what"]),
             with_code(bug["matters"])] for bug in bugs() if not bug.get("false")]
    return tables.table(HEADINGS["bugs"], rows, figures=())


def left_out(_):
    reasons = grouped(corpus_list.read()[1], lambda row: (row[0], row[3]))
    rows = [[html.escape(repository), html.escape(reason), html.escape(", ".join(name for _, _, name, _ in programs))]
            for (repository, reason), programs in sorted(reasons.items())]
    return tables.table(HEADINGS["left out"], rows, figures=())


def problems():
    """Returns one line for each recorded report without an entry in bugs.json, and the other way round."""
    reports = [(run["program"], report) for run in recorded()["runs"] for report in run.get("checked", {}).get("reports", ())]
    fits = [(bug, [r for r in reports if r[0].startswith(bug["program"]) and re.search(bug["report"], r[1])])
            for bug in bugs()]
    was_run = {run["program"] for run in recorded()["runs"]
               if run.get("checked", {}).get("outcome", "no end").split()[0] in (*GOOD, "fails,")}
    read = [report for _, found in fits for report in found]
    return ([f"{name}: nobody has read '{report.splitlines()[0]}'" for name, report in reports if (name, report) not in read]
            + [f"{bug['program']}: '{bug['report']}' was not reported" for bug, found in fits
               if not found and bug["program"] in was_run])


TABLES = {"public_programs": programs, "public_programs_answers": answers, "public_programs_summary": summary, "public_programs_bugs": found_bugs,
          "public_programs_left_out": left_out}
