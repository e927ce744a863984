"""The sweep `ranks`: step 08's rungs on one rank and more, the same bodies on all (strong scaling) and, where all pairs
are summed, as many interactions for each (weak), beside what ranks_model.py predicts from one rank's times and the
program's of messages."""

import dataclasses
import re

from common.base.command_line import BadInput
from common.tools import ranks
from common.tools.build import configured, preset_of
from common.tools.ladder.table import median_of, shown
from common.tools.programs import flags, repeats_for
from common.tools.sweeps import ranks_model
from common.tools.sweeps.files import Kind
from common.tools.sweeps import ranks_points
from common.tools.sweeps.ranks_points import EXECUTOR_RANKS, EXECUTOR_STRONG, STRONG, WEAK
from common.tools.sweeps.runs import Measurement

TABLE = "{:<24}{:>12}{:>12}{:>12}{:>14}  {}"
STEPS = 2  # of a run: enough for the time of whole ones


def link_of(run):
    """From a run's times of messages."""
    return ranks_model.fitted({int(found[1]): ms for name, ms in run["parts_ms"].items()
                               if (found := re.fullmatch(r"message_of_(\d+)_bytes", name))})


def by_point(runs):
    return {(run["parameters"]["exchange"], run["bodies"], int(run["facts"]["ranks"])): run for run in runs if run["passed"]}


def step_ms(run):
    return run.get("step_ms", {}).get("median")


def predictions(runs, links, points):
    """{(exchange, bodies, ranks): ms} of the points whose rung has a model.
    links: by exchange, "" for all others"""
    alone = {}
    for (exchange, bodies, number), run in by_point(runs).items():
        if number == 1 and median_of(run):
            alone.setdefault(exchange, {})[bodies] = median_of(run)
    alone = {exchange: ranks_model.OneRank(times, ranks_points.growth(exchange)) for exchange, times in alone.items()}
    return {(exchange, bodies, number): ranks_model.row(exchange, bodies, number, alone[exchange],
                                                        links.get(exchange, links[""]))["ms"]
            for exchange, bodies, number in points if exchange in ranks_model.MODELS and exchange in alone}


def table(runs, predicted):
    """Rows for each point on several ranks: against one rank with the same bodies, or with as much work."""
    points, rows = by_point(runs), []
    for (exchange, bodies, number), run in points.items():
        against = {"strong": bodies} if bodies in ranks_points.strong(exchange) else {}
        if bodies == ranks_points.weak(exchange, number):
            against["weak"] = WEAK
        for scaling, bodies_alone in against.items():
            one = points.get((exchange, bodies_alone, 1))
            if number == 1 or not (one and median_of(run)):
                continue
            work = (bodies / bodies_alone) ** ranks_points.growth(exchange)
            speedup = work * median_of(one) / median_of(run)
            ms = predicted.get((exchange, bodies, number))
            rows.append({"scaling": scaling, "exchange": exchange, "bodies": bodies, "ranks": number,
                         "force_ms": median_of(run), "step_ms": step_ms(run), "speedup": speedup,
                         "efficiency": speedup / number, "step_speedup": work * step_ms(one) / step_ms(run),
                         "predicted_speedup": ms and work * median_of(one) / ms})
    return rows


class RanksSweep(Kind):
    name = "ranks"
    title = "Step 08 on several ranks: speed-up and efficiency, strong and weak"
    plots = "common.tools.plots.ranks"

    def check(self, options, on_gpu):
        super().check(options, on_gpu)
        if not options.build and not ranks.mpirun(configured(preset_of(options))):
            raise BadInput(ranks.MISSING)

    def targets(self, on_gpu):
        return [ranks.STEP]

    def heading(self, options):
        return f"{self.title}\n" + TABLE.format("step", "N", "forces ms", "step ms", "error median", "check")

    def table_row(self, run):
        error = run.get("error") or {}
        return TABLE.format(ranks.name_of(run), f"{run['bodies']:,}", shown(median_of(run), ",.4g"), shown(step_ms(run), ",.4g"),
                            shown(error.get("median"), ".1e"), "ok" if run["passed"] else "FAILED")

    def point(self, options, exchange, bodies, number, **more):
        repeats = options.repeats or repeats_for(bodies, 7, 3)
        return (options.build / ranks.PROGRAM,
                flags(exchange=exchange, bodies=bodies, steps=STEPS, scene=options.scene, repeats=repeats, **more),
                ranks.launcher(options.build, number))

    def points_alone(self, options):
        """Those of one rank; on the executor all, which are checks."""
        on_gpu = options.build.name == "gpu"
        return [self.point(options, exchange, bodies, number) for number in ((1,) if on_gpu else EXECUTOR_RANKS)
                for exchange in ranks.exchanges(options.build)
                for bodies in (ranks_points.alone(exchange) if on_gpu else EXECUTOR_STRONG)]

    def measure_link(self, measurement, options, exchange):
        number = ranks.gpus()
        program, arguments, launcher = self.point(options, exchange, STRONG[0], number)
        outcome = measurement.add(program, [*arguments, "--link"], launcher=launcher)
        outcome.require_document(even_if_failed=False)
        link = link_of(measurement.documents.pop()["runs"][0])
        measurement.say(f"Messages of {exchange} on {number} ranks: {link.latency_us:.1f} us and {link.gb_per_s:.0f} GB/s")
        return link

    def measured(self, options):
        measurement = Measurement(self, self.points_alone(options))
        many = range(2, ranks.gpus() + 1) if options.build.name == "gpu" else ()
        points = [(exchange, bodies, number) for number in many for exchange in ranks.exchanges(options.build)
                  for bodies in sorted({*ranks_points.strong(exchange), ranks_points.weak(exchange, number)})]
        if not points:
            return measurement.document(), measurement.log, not measurement.failed
        # What the points should take is said before it is measured.
        links = {"ring": self.measure_link(measurement, options, "ring"),  # which has fewer blocks for them
                 "": self.measure_link(measurement, options, "gather")}
        predicted = predictions([document["runs"][0] for document in measurement.documents], links, points)
        for number, point in enumerate(points, 1):
            program, arguments, launcher = self.point(options, *point)
            measurement.measure(program, arguments, f"{number}/{len(points)}: ", launcher)
        document = measurement.document()
        document["link"] = dataclasses.asdict(links[""])
        document["ring_link"] = dataclasses.asdict(links["ring"])
        document["table"] = table(document["runs"], predicted)
        return document, measurement.log, not measurement.failed


RANKS = RanksSweep()
