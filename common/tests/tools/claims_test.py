"""The comparison of GPUs: claims of the tutorials on each recorded one, and what a recorded file must hold."""

import json
import re
import unittest

from common.base.command_line import ROOT
from common.tests.tools.case import InFolder
from common.tools.docs import gpus
from common.tools.docs.results import Results
from common.tools.ladder import record, schema

DEVICES = sorted({file.parent for file in (ROOT / "docs" / "results").glob("*/ladder.json")})
OF_ANOTHER_PROGRAM = ("cuda_sample.json", "_prediction.json")  # not written by ./run record


def of_record(folder):
    return [file for file in sorted(folder.glob("*.json")) if not file.name.endswith(OF_ANOTHER_PROGRAM)]


class Recorded(unittest.TestCase):
    def test_every_recorded_file_has_what_it_must_have(self):
        for folder in DEVICES:
            for file in of_record(folder):
                with self.subTest(file=file.relative_to(ROOT)):
                    self.assertEqual(schema.problems(file), [])

    def test_what_the_tutorials_claim_holds_where_they_were_written(self):
        for claim in gpus.CLAIMS:
            with self.subTest(claim=claim.words):
                self.assertIn("holds", gpus.verdict(claim, Results("h200")))

    def test_each_gpu_has_a_column(self):
        table = gpus.claims(None)
        self.assertEqual(len(re.findall("<th", table)), 3 + len(DEVICES))
        self.assertEqual(len(re.findall("<tr>", table)), 1 + len(gpus.CLAIMS))
        self.assertRegex(table, r'<td class="figure">(holds|does not) \([\d.]+\)</td>')


class OtherGpus(InFolder):
    def test_folders_are_named_after_gpus(self):
        for name, folder in (("NVIDIA H200", "h200"), ("2 x NVIDIA H200", "h200"), ("NVIDIA H100 80GB HBM3", "h100"),
                             ("NVIDIA A100-SXM4-80GB", "a100-sxm4-80gb"),
                             ("NVIDIA GeForce RTX 4090", "rtx-4090"), ("NVIDIA H100 PCIe", "h100-pcie")):
            self.assertEqual(record.slug(name), folder)

    def test_a_file_without_what_it_must_have_is_refused(self):
        def problems(change):
            document = json.loads((ROOT / "docs" / "results" / "h200" / "ladder.json").read_text())
            document["device"]["name"] = "NVIDIA Made-up"
            change(document)
            return " / ".join(schema.problems(self.write("made-up/ladder.json", json.dumps(document))))

        self.assertEqual(problems(lambda d: None), "")
        for change, problem in (
                (lambda d: d["device"].pop("driver"), "device.driver is not there"),
                (lambda d: d.pop("suite"), "suite.commit is not there"),
                (lambda d: d["device"].update(kind="executor"), "the device is no GPU"),
                (lambda d: d["device"].update(name="NVIDIA Other"), "whose folder would be other"),
                (lambda d: d["runs"][3].update(passed=False), "runs[3] did not pass"),
                (lambda d: d["runs"][3].pop("error"), "runs[3] has a time and no error"),
                (lambda d: d["runs"][3].update(bodies="many"), "runs[3].bodies is not there as int"),
                (lambda d: d["runs"][3]["force_ms"].update(median=1e9), "runs[3].force_ms: not 0 < min"),
                (lambda d: d["runs"][3].update(gflops=float("nan")), "runs[3].gflops is nan"),
                (lambda d: d.update(runs=[]), "runs is no list of runs"),
                (lambda d: d.pop("runs"), "runs is not there")):
            self.assertIn(problem, problems(change))
        self.assertIn("no JSON", schema.problems(self.write("made-up/ladder.json", "{"))[0])
        self.assertEqual(schema.problems(self.write("made-up/other.json", '{"a": 1}')), [])
