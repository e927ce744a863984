"""Step 05's studies: programs that measure all of their points in one run."""

import dataclasses

from common.base.command_line import BadInput
from common.tools.programs import run_program
from common.tools.sweeps.files import Kind


@dataclasses.dataclass(frozen=True)
class Study(Kind):
    """A program's run and the figures that are drawn of it."""

    name: str
    title: str
    program: str
    arguments: tuple
    extras: tuple = ()     # further runs: (name in the document, arguments)
    has_scene: bool = False

    plots = "common.tools.plots.study"

    def check(self, options, on_gpu):
        if not on_gpu:
            raise BadInput(f"{self.name} measures times, which takes a GPU: the CPU executor's say nothing of one")
        if options.scene and not self.has_scene:
            raise BadInput(f"--scene: {self.name} draws its own points")

    def targets(self, on_gpu):
        return [self.program]

    def measured(self, options):
        program = options.build / "05_triangular_map" / self.program
        log = ""
        documents = {}
        passed = True
        for name, arguments in [("study", self.command(options)), *self.extras]:
            outcome = run_program(program, arguments)
            print(outcome.log, flush=True)
            log += outcome.log
            passed = passed and outcome.status == 0
            outcome.require_document()
            documents[name] = outcome.document
        document = documents.pop("study")
        document.update({name: extra["runs"] for name, extra in documents.items()})
        return document, log, passed

    def command(self, options):
        """The arguments of the run; options: scene and repeats, None where not asked for."""
        given = [*self.arguments]
        if options.repeats:
            given.append(f"--repeats={options.repeats}")
        if options.scene:
            given.append(f"--scene={options.scene}")
        return given


STUDIES = {
    study.name: study
    for study in [
        Study("maps", "Maps of the triangle: figures 3 and 5 of Navarro, Bustos and Hitschfeld", "05_map_study",
              ("--n=1024,2048,4096,8192,16384,32768,65536",), (("exactness", ("--exactness",)),)),
        Study("triplets", "Axilrod-Teller energy by the tetrahedral map", "05_triplets",
              ("--n=64,128,256,512,1024,2048",), has_scene=True),
    ]
}
