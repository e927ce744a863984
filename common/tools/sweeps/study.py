"""Step 05's studies: programs that measure all of their points in one run."""

import dataclasses

from common.base.command_line import BadInput
from common.tools.programs import flags, run_program
from common.tools.sweeps.files import Kind


@dataclasses.dataclass(frozen=True)
class Study(Kind):
    """A program's run and the figures that are drawn of it."""

    name: str
    title: str
    program: str
    points: str    # its option
    extras: dict   # further runs: name in the document, option
    has_scene: bool = False

    plots = "common.tools.plots.study"

    def check(self, options, on_gpu):
        super().check(options, on_gpu)
        if not on_gpu:
            raise BadInput(f"{self.name} measures times, which takes a GPU: the CPU executor's say nothing of one")
        if options.scene and not self.has_scene:
            raise BadInput(f"--scene: {self.name} draws its own points")

    def targets(self, on_gpu):
        return [self.program]

    def measured(self, options):
        program = options.build / "05_triangular_map" / self.program
        given = [self.points, *flags(repeats=options.repeats, scene=options.scene)]
        outcomes = []
        for arguments in [given, *([extra] for extra in self.extras.values())]:
            outcomes.append(run_program(program, arguments))
            print(outcomes[-1].log, flush=True)
            outcomes[-1].require_document()
        document, *extras = [outcome.document for outcome in outcomes]
        document.update({name: extra["runs"] for name, extra in zip(self.extras, extras)})
        return document, "".join(o.log for o in outcomes), all(o.status == 0 for o in outcomes)


STUDIES = [
    Study("maps", "Maps of the triangle: figures 3 and 5 of Navarro, Bustos and Hitschfeld", "05_map_study",
          "--n=1024,2048,4096,8192,16384,32768,65536", {"exactness": "--exactness"}),
    Study("triplets", "Axilrod-Teller energy by the tetrahedral map", "05_triplets", "--n=64,128,256,512,1024,2048", {},
          has_scene=True),
]
