"""What a recorded file must have, and the name of its folder."""

import json
import unittest

from common.base.command_line import ROOT
from common.tools.ladder import store

DEVICES = sorted({file.parent for file in (ROOT / "docs" / "results").glob("*/ladder.json")})
EXPERIMENTS = ROOT / "docs" / "results" / "experiments"  # measured once, on any card
OF_ANOTHER_PROGRAM = ("cuda_sample.json", "_prediction.json")  # not written by ./run record


def of_record(folder):
    return [file for file in sorted(folder.glob("*.json")) if not file.name.endswith(OF_ANOTHER_PROGRAM)]
# Contents that a recorded result must have. The same list checks a results folder that comes with a pull request.
SUITE, DEVICE = ("commit", "preset"), ("name", "kind", "compute_capability", "driver", "cuda")
LADDER_RUN = {"step": str, "scene": str, "bodies": int, "precision": str, "parameters": dict, "checked": bool, "passed": bool}
TIMES = ("median", "min", "max", "repeats")


def no_number(word):
    raise ValueError(f"{word} is no number")


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
    """The claims of the parsed JSON."""
    for part, names in (("suite", SUITE), ("device", DEVICE)):
        for name in names:
            if not isinstance(document.get(part), dict) or not document[part].get(name):
                yield f"{part}.{name} is not there"
    runs = document["runs"]
    if not isinstance(runs, list) or not runs or not all(isinstance(run, dict) for run in runs):
        yield "runs is no list of runs"
        return
    if document.get("device", {}).get("kind") != "gpu":
        yield "the device is no GPU: an executor's time is no performance"
    for index, run in enumerate(runs if ladder else []):
        yield from of_ladder_run(run, f"runs[{index}]")


def problems_of(path):
    """One line each, of a file of docs/results/<device>/; none of a file without runs, a prediction say."""
    try:
        document = json.loads(path.read_text(), parse_constant=no_number)
    except ValueError as error:
        return [f"{path.name}: no JSON: {error}"]
    if not isinstance(document, dict) or "runs" not in document:
        return [f"{path.name}: runs is not there"] if path.name == "ladder.json" else []
    found = [*of_document(document, path.name == "ladder.json")]
    device = document.get("device")
    if path.parent != EXPERIMENTS and isinstance(device, dict) and store.slug(str(device.get("name"))) != path.parent.name:
        found.append(f"device.name is '{device.get('name')}', whose folder would be {store.slug(str(device.get('name')))}")
    return [f"{path.name}: {problem}" for problem in found]


class Recorded(unittest.TestCase):
    def test_every_recorded_file_has_what_it_must_have(self):
        for folder in (*DEVICES, EXPERIMENTS):
            for file in of_record(folder):
                with self.subTest(file=file.relative_to(ROOT)):
                    self.assertEqual(problems_of(file), [])

    def test_an_experiment_has_a_date(self):
        for file in EXPERIMENTS.glob("*.json"):
            with self.subTest(file=file.name):
                self.assertRegex(json.loads(file.read_text()).get("date", ""), r"^20\d\d-\d\d-\d\d")

    def test_folders_are_named_after_gpus(self):
        for name, folder in (("NVIDIA H200", "h200"), ("2 x NVIDIA H200", "h200"), ("NVIDIA H100 80GB HBM3", "h100"),
                             ("NVIDIA A100-SXM4-80GB", "a100-sxm4-80gb"),
                             ("NVIDIA GeForce RTX 4090", "rtx-4090"), ("NVIDIA H100 PCIe", "h100-pcie")):
            self.assertEqual(store.slug(name), folder)
