"""Stores results of the mutants under docs/results/mutants/, and makes the tables of docs/pages/mutants.md from them."""

import json
import subprocess
from pathlib import Path

from common.base.command_line import ROOT, script
from common.grader.exercises import mutant_corpus
from common.tools import markdown
from common.tools.programs import grouped

RESULTS = ROOT / "docs" / "results" / "mutants"
# Shown in full in the docs, by tool.
EXAMPLES = {"checker": ["02_missing_second_barrier", "02_last_tile_skipped"], "programs": ["host_managed_not_awaited"]}
COLUMNS = ["mutant", "the mistake", "checker", "plain, CPU", "compute-sanitizer", "plain, GPU"]
PROGRAM_COLUMNS = ["mutant", "the program", *COLUMNS[1:3]]
SUMMARY_COLUMNS = ["tool", "finds", "how"]
# Names of the tools in the tables, by what is kept of them.
TOOLS = {"checker": "checker", "validation": "plain, CPU", "compute-sanitizer: validation": "plain, GPU"}
NONE, UNKNOWN = "-", "not run"


def kept():
    """Returns the stored documents by tool."""
    return {path.stem: json.loads(path.read_text()) for path in sorted(RESULTS.glob("*.json"))}


def short(run):
    """Returns the finding of one run, in a word or two."""
    names = {None: NONE, "executor": "the executor", "validation": "the check", "cuda": "CUDA error"}
    return names.get(run["by"], run["by"])


def cells(mutant, documents):
    """Returns a row's cells after the first two."""
    runs = {tool: entry["runs"] for tool, document in documents.items()
            for entry in document["mutants"] if entry["name"] == mutant.name}

    def cell(tool, label):
        return short(runs[tool][label]) if label in runs.get(tool, ()) else UNKNOWN

    checker = runs.get("checker", {}).get("checker")
    sanitizers = ", ".join(f"{tool}: {run['by']}" if run["by"] in ("hang", "crash") else tool
                           for tool, run in runs.get("compute-sanitizer", {}).items()
                           if tool != "validation" and run["by"])
    said = checker["message"] or mutant.gap or NONE if checker else UNKNOWN
    return [said.replace("|", "\\|"), cell("validation", "validation"), sanitizers or (NONE if "compute-sanitizer" in runs else UNKNOWN),
            cell("compute-sanitizer", "validation")]


def how(found):
    """Counts what found the mistakes: "33 by the check, 13 by the executor"."""
    kinds = [run["by"] for run in found]
    return ", ".join(f"{kinds.count(kind)} by {short({'by': kind})}" for kind in sorted(set(kinds)))


def summary(documents):
    """Returns a table: how many of the corpus each tool found. Below it are the commits."""
    rows, notes = [], []
    for tool, document in sorted(documents.items(), key=lambda each: each[0] != "checker"):  # the checker first
        device = f" ({document['device']['name']})" if document.get("device", {}).get("kind") == "gpu" else ""
        ran = [e for e in document["mutants"] if e["runs"]]
        labels = list(document["mutants"][0]["runs"])
        for label in labels:
            found = [e["runs"][label] for e in ran if e["runs"][label]["by"] and not e.get("gap")]
            name = tool if label == tool else f"{tool}: {label}"
            rows.append([TOOLS.get(name, name) + device, f"{len(found)} of {len(ran)}", how(found)])
        several = [label for label in labels if label != "validation"]
        if len(several) > 1:
            found = [e for e in ran if any(e["runs"][label]["by"] for label in several) and not e.get("gap")]
            rows.append([f"{tool}: any of these {len(several)} tools{device}", f"{len(found)} of {len(ran)}", ""])
        commits = sorted({e.get("commit", document["suite"]["commit"]) for e in ran})
        notes.append(f"{TOOLS.get(tool, tool)} {', '.join(commits)}")
    return markdown.table(SUMMARY_COLUMNS, rows) + f"\n\nNote: the tools ran at these commits of the suite: {'; '.join(notes)}."


def mutants():
    """Returns the summary, and a table of wrong kernels for each step."""
    documents = {tool: document for tool, document in kept().items() if tool != "programs"}
    parts = [summary(documents)]
    for step, kernels in grouped([m for m in mutant_corpus.corpus() if not m.whole_program], lambda m: m.step).items():
        rows = [[f"`{m.name}`", m.mistake.replace("|", "\\|"), *cells(m, documents)] for m in kernels]
        parts.append(f"### Step {step[:2]}\n\n`{step}/mutants.txt` has these mutants.\n\n"
                     + markdown.table(COLUMNS, rows))
    return "\n\n".join(parts)


def mutant_programs():
    """Returns the table of wrong programs."""
    document = kept()["programs"]
    said = {entry["name"]: entry["runs"].get("checker", {}).get("message", UNKNOWN) for entry in document["mutants"]}
    rows = [[f"`{m.name}`", f"`{Path(m.whole_program).name}`", m.mistake,
             m.gap or said.get(m.name, UNKNOWN).replace("|", "\\|") or "nothing"]
            for m in mutant_corpus.corpus() if m.whole_program]
    ran = [entry["runs"]["checker"] for entry in document["mutants"] if entry["runs"]]
    found = sum(bool(run["by"]) for run in ran)
    return (f"The checker finds {found} of {len(ran)} (commit {document['suite']['commit']}).\n\n"
            + markdown.table(PROGRAM_COLUMNS, rows))


def transcript_file(name):
    return RESULTS / f"{name}.txt"


def transcript(build, name):
    """Returns the output of one mutant in a terminal."""
    shown = subprocess.run([*script("test"), "--mutants", "--build", build, name], check=True, capture_output=True,
                           text=True).stdout
    return f"$ ./run test --mutants {name}\n{shown}"


def stale_transcripts(build, tool):
    """Returns the examples of docs/pages/mutants.md that a terminal now shows differently."""

    def portable(text):
        return [line for line in text.splitlines() if not line.startswith("device ")]

    return [name for name in EXAMPLES[tool]
            if portable(transcript_file(name).read_text()) != portable(transcript(build, name))]


def merged(before, some):
    """Returns a document of all mutants: `some` replace the same ones, or are added, with their own commit."""
    new = [{**entry, "commit": some["suite"]["commit"]} for entry in some["mutants"]]
    mutants = {entry["name"]: entry for entry in [*before["mutants"], *new]}
    controls = {(c["step"], c["arguments"], c.get("right", ""), c.get("ranks", 0)): c for c in [*before["controls"], *some["controls"]]}
    names = [m.name for m in mutant_corpus.corpus() if m.name in mutants]
    return {**before, "mutants": [mutants[name] for name in names], "controls": [controls[key] for key in sorted(controls)]}


def keep(file, is_part):
    """Stores one document, without what changes from run to run. If it is a part, the tool's other results stay."""
    document = json.loads(Path(file).read_text())
    for entry in document["mutants"]:
        entry.pop("seconds", None)
    kept_file = RESULTS / f"{document['tool']}.json"
    if is_part and kept_file.exists():
        document = merged(json.loads(kept_file.read_text()), document)
    kept_file.write_text(json.dumps(document, indent=1) + "\n")
    print(f"Kept: {kept_file.relative_to(ROOT)}")


def problems():
    """Returns the mutants that are not recorded, one line each."""
    documents = kept()
    names = {m.name for m in mutant_corpus.corpus()}
    recorded = {e["name"] for tool in ("checker", "programs") if tool in documents for e in documents[tool]["mutants"]}
    return [f"docs/results/mutants: {name} is not recorded; ./run test --mutants --record records it" for name in sorted(names - recorded)]
