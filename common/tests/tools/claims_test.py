"""The comparison of GPUs: claims of the tutorials on each recorded one, and what a recorded file must hold."""

import copy
import json
import unittest
from unittest import mock

from common.base.command_line import ROOT
from common.tests.tools.case import InFolder
from common.tools.docs import claims, gpus, results
from common.tools.docs.pages import Pages
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
        for claim in claims.CLAIMS:
            with self.subTest(claim=claim.words):
                self.assertTrue(claims.verdict(claim, Results("h200"))[0])

    def test_claims_name_pages_that_there_are(self):
        titles = " ".join(page.read_text().split("\n")[0] for page in (ROOT / "docs" / "pages").glob("*.md"))
        self.assertEqual([claim.page for claim in claims.CLAIMS if f"{{#{claim.page}}}" not in titles], [])


class MadeUp(InFolder):
    """A second GPU, that nobody measured: the H200's ladder, changed."""

    def setUp(self):
        super().setUp()
        for name in ("h200", "made-up"):
            (self.folder / name).mkdir()
        self.ladder = json.loads((ROOT / "docs" / "results" / "h200" / "ladder.json").read_text())
        self.add("h200", self.ladder)
        self.enterContext(mock.patch.object(results, "RESULTS", self.folder))

    def add(self, name, document):
        return self.write(f"{name}/ladder.json", json.dumps(document))

    def force_ms(self, step, **parameters):
        """Of a million bodies."""
        return next(run["force_ms"]["median"] for run in self.ladder["runs"]
                    if (run["step"], run["bodies"]) == (step, 1048576) and parameters.items() <= run["parameters"].items())

    def second(self):
        document = copy.deepcopy(self.ladder)
        document["device"]["name"] = "NVIDIA Made-up"
        for run in document["runs"]:
            if run["step"] == "06_tree_walk":
                run["force_ms"].update({name: 100 * run["force_ms"][name] for name in ("median", "min", "max")})
        return document

    def test_a_users_file_adds_a_column(self):
        self.assertEqual(gpus.table(None).count("<th>"), 4)
        self.add("made-up", self.second())
        table = gpus.table(None)
        self.assertEqual(table.count("<th>"), 5)
        row = next(line for line in table.splitlines() if "wins over all pairs at N = 1,048,576" in line)
        ratio = self.force_ms("05_triangular_map", equal_masses="ignored") / self.force_ms("06_tree_walk")
        self.assertIn(f'<td class="figure">holds ({ratio:.2f})</td><td class="figure">does not ({ratio / 100:.2f})</td>', row)
        row = next(line for line in table.splitlines() if "32 threads a body are" in line)
        self.assertEqual(row.count("not recorded"), 2)  # only the ladders are here
        self.assertIn("step_06.html", table)

    def test_the_page_is_there_from_two_gpus_on(self):
        self.assertNotIn("gpus", Pages(Results(self.folder / "h200"), self.folder / "site").contents.titles)
        self.add("made-up", self.second())
        pages = Pages(Results(self.folder / "h200"), self.folder / "site")
        self.assertIn("gpus", pages.contents.titles)
        pages.write("gpus.md", "# A\n\n{{table claims}}\n")
        self.assertIn("Made-up", (pages.generated / "table_claims.html").read_text())

    def test_folders_are_named_after_gpus(self):
        for name, folder in (("NVIDIA H200", "h200"), ("2 x NVIDIA H200", "h200"), ("NVIDIA H100 80GB HBM3", "h100"),
                             ("NVIDIA A100-SXM4-80GB", "a100-sxm4-80gb"),
                             ("NVIDIA GeForce RTX 4090", "rtx-4090"), ("NVIDIA H100 PCIe", "h100-pcie")):
            self.assertEqual(record.slug(name), folder)

    def test_a_file_without_what_it_must_have_is_refused(self):
        def problems(change):
            document = self.second()
            change(document)
            return " / ".join(schema.problems(self.add("made-up", document)))

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
