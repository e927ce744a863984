"""Parts of pages that wait for a record: with made-up records of all kinds each of them is there, and its numbers are found."""

import json
import re
import shutil

from common.base.command_line import ROOT
from common.tests.tools.case import InFolder
from common.tools.docs.pages import TITLE, Pages
from common.tools.docs.results import Results
from common.tools.ladder import ncu, profile
from common.tools.ladder import pages as ladder_pages
from common.tools.ladder.recorded import Recorded
from common.tools.sweeps import precision, roofline

H200 = ROOT / "docs" / "results" / "h200"
IF = re.compile(r"^\{\{if (.+)\}\}$", re.MULTILINE)
KERNEL = {"name": "forcesKernel", "registers": 61, "static_shared_bytes": 0, "dynamic_shared_bytes": 8192, "block": [512, 1, 1],
          "blocks_per_multiprocessor": 2, "warps_per_multiprocessor": 32}
PNG = b"\x89PNG"


def profiled(point):
    program = point.program.split("/")[1]
    run = {"step": program, "bodies": point.bodies, "parameters": dict(point.options), "force_ms": {"median": 1.0},
           "parts_ms": {"fused_walk": 1.0, "walk": 1.0}, "metrics": dict.fromkeys(ncu.METRICS, 1e6), "report": point.name}
    profile.compare(run, {"fma_clock_ghz": 1.9}, point.part)
    return run


class Evidence(InFolder):
    def setUp(self):
        super().setUp()
        self.results = self.folder / "h200"
        shutil.copytree(H200, self.results)
        ladder = json.loads((H200 / "ladder.json").read_text())
        for run in ladder["runs"]:
            run["energy"] = {"joules": 1.0, "watts": 2.0, "picojoules_per_interaction": 3.0, "seconds": 2.0, "updates": 20}
        profiles = [profiled(point) for point in profile.POINTS]
        occupancy = [{**run, "kernel": KERNEL, "capabilities": {"9.0": {"registers": 61, "blocks": 2, "warps": 32}}}
                     for run in ladder["runs"] if run["bodies"] == 262144]
        rows = [roofline.row(run) for run in profiles]
        ceilings = [{"step": "ceilings", "memory": name, "gb_per_s": 1.0} for name in ("shared", "l2", "dram")]
        doubles = [{"step": run["step"], "bodies": run["bodies"], "parameters": run["parameters"], "fp32_ms": 1.0, "fp64_ms": 2.0,
                    "slowdown": 2.0, "fp32_error": 1e-7, "fp64_error": 1e-15, "root_instructions": 7.0}
                   for run in ladder["runs"] if run["step"][:1] == "0"]
        kinds = [{"step": "03_mixed", "scene": "plummer", "bodies": bodies, "parameters": {"positions": positions, "sums": sums},
                  "force_ms": {"median": 1.0}, "error": {"median": 1e-7, "p99": 1e-6, "max": 1e-5}, "passed": True}
                 for bodies in precision.MIXED_BODIES for positions in ("fp32", "pairs", "fixed", "fp64")
                 for sums in ("plain", "compensated")]
        both = [{**run, "precision": name} for run in ladder["runs"] for name in ("fp32", "fp64")]
        for name, more in (("fp64", {"runs": both, "table": doubles}), ("mixed", {"runs": kinds}), ("ladder", {}),
                           ("profile", {"runs": profiles}), ("occupancy", {"runs": occupancy}),
                           ("roofline", {"runs": ceilings, "table": rows})):
            self.write(f"h200/{name}.json", json.dumps({**ladder, **more}))
        for name in ("roofline", "fp64", "mixed"):
            (self.results / f"{name}.png").write_bytes(PNG)

    def test_every_part_is_there_once_its_record_is(self):
        results = Results(self.results)
        pages = Pages(results, self.folder / "site")
        conditions = 0
        for page in sorted((ROOT / "docs" / "pages").glob("*.md")):
            text = page.read_text()
            for query in IF.findall(text):
                self.assertTrue(results.has(query), f"{page.name}: {query}")
                conditions += 1
            if "{{if" in text:
                pages.write(page.name, text, TITLE.match(text)[1])
                self.assertEqual(text.count("{{if "), text.count("{{end}}"), page.name)
        self.assertGreaterEqual(conditions, 7)
        tables = {path.stem for path in pages.generated.glob("table_*.html")}
        self.assertIn("FP64 / FP32", ladder_pages.ladder_section(Recorded(self.results)))
        self.assertGreaterEqual(tables, {"table_profile", "table_energy", "table_occupancy", "table_fp64", "table_mixed"})
