"""What a recorded result must hold, whoever measured it: a results folder that comes with a pull request is checked by this."""

import json
import math

from common.tools.ladder.record import slug

SUITE, DEVICE = ("commit", "preset"), ("name", "kind", "compute_capability", "driver", "cuda")
LADDER_RUN = {"step": str, "scene": str, "bodies": int, "precision": str, "parameters": dict, "checked": bool, "passed": bool}
TIMES = ("median", "min", "max", "repeats")


def numbers(tree, place=""):
    """(place, number) of all numbers below."""
    if isinstance(tree, dict):
        for name, part in tree.items():
            yield from numbers(part, f"{place}.{name}" if place else name)
    elif isinstance(tree, list):
        for index, part in enumerate(tree):
            yield from numbers(part, f"{place}[{index}]")
    elif isinstance(tree, (int, float)) and not isinstance(tree, bool):
        yield place, tree


def of_times(times, place):
    if not isinstance(times, dict) or any(name not in times for name in TIMES):
        yield f"{place} needs {', '.join(TIMES)}"
    elif not 0 < times["min"] <= times["median"] <= times["max"] or times["repeats"] < 1:
        yield f"{place}: not 0 < min <= median <= max"


def of_ladder_run(run, place):
    for name, kind in LADDER_RUN.items():
        if not isinstance(run.get(name), kind):
            yield f"{place}.{name} is not there as {kind.__name__}"
    if run.get("passed") is not True or run.get("checked") is not True:
        yield f"{place} did not pass the check against FP64"
    if not isinstance(run.get("error"), dict) or "median" not in run["error"]:
        yield f"{place} has a time and no error"
    yield from of_times(run.get("force_ms"), f"{place}.force_ms")


def of_document(document, ladder):
    """Of the parsed JSON."""
    for part, names in (("suite", SUITE), ("device", DEVICE)):
        for name in names:
            if not isinstance(document.get(part), dict) or not document[part].get(name):
                yield f"{part}.{name} is not there"
    runs = document["runs"]
    if not isinstance(runs, list) or not runs or not all(isinstance(run, dict) for run in runs):
        yield "runs is no list of runs"
        return
    for place, number in numbers(document):
        if not math.isfinite(number):
            yield f"{place} is {number}"
    if document.get("device", {}).get("kind") != "gpu":
        yield "the device is no GPU: an executor's time is no performance"
    for index, run in enumerate(runs if ladder else []):
        yield from of_ladder_run(run, f"runs[{index}]")


def problems(path):
    """One line each, of a file of docs/results/<device>/; none of a file without runs, a prediction say."""
    try:
        document = json.loads(path.read_text())
    except ValueError as error:
        return [f"{path.name}: no JSON: {error}"]
    if not isinstance(document, dict) or "runs" not in document:
        return [f"{path.name}: runs is not there"] if path.name == "ladder.json" else []
    found = [*of_document(document, path.name == "ladder.json")]
    device = document.get("device")
    if isinstance(device, dict) and slug(str(device.get("name"))) != path.parent.name:
        found.append(f"device.name is '{device.get('name')}', whose folder would be {slug(str(device.get('name')))}")
    return [f"{path.name}: {problem}" for problem in found]
