"""Shows two merging galaxies in the browser while they are computed.

You can change every setting on the page, and press 1 to 8 to switch to another step of the ladder.

The command prints a link for you, a link for others who only watch, and an ssh command for a browser on another
machine. It opens the browser if there is a desktop. It runs until you press Ctrl-C.
"""

import argparse
import re
import signal
import subprocess

from common.tools import desktop, packages, ranks
from common.tools.build import Build, add_preset, configure, configured, kernel_steps, preset_of
from common.tools.programs import flags

# As ./run demo takes them: with this time step a merger keeps its energy. A GPU has the time for more bodies.
CPU = {"program": "common/simd", "bodies": 16384, "dt": 0.1}
GPU = {"program": "05_triangular_map/05_triangular_map", "bodies": 65536, "dt": 0.025}
LINK = re.compile(r"http://\S+")


def port(text):
    """Asked here, before anything is built, and by the name that was typed."""
    if not re.fullmatch("[0-9]{1,5}", text) or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"must be a whole number from 0 to 65535, not '{text}'")
    return text


def add_arguments(parser):
    add_preset(parser)
    parser.add_argument("--scene", default="merger", help="the initial bodies; the page offers all scenes (default: merger)")
    parser.add_argument("--bodies", metavar="N", help="number of bodies at the start (default: 16384; on a GPU 65536)")
    parser.add_argument("--port", type=port, default="8750", help="port of the page; 0 takes any free port (default: 8750)")
    parser.add_argument("--address", help="address of this machine at which the page is served; with any other than the "
                        "default, other machines can open the page if they have the link (default: 127.0.0.1)")


def built_programs(preset):
    """The preset's build folder, once all that the keys climb to is built."""
    build = configured(preset)
    if missing := packages.for_live():  # it was configured without a live view
        configure(build, ["--preset", preset], missing)
    more = [ranks.STEP] if ranks.mpirun(build) else []
    Build(build, ["simd", *kernel_steps(), *more]).wait()
    return build


def interrupt(*_):
    raise KeyboardInterrupt


def serve(command):
    """Runs the program until it ends or is stopped; returns its exit status."""
    signal.signal(signal.SIGTERM, interrupt)
    program = subprocess.Popen(command, text=True, stdout=subprocess.PIPE)
    link = None
    try:
        for line in program.stdout:
            print(line, end="", flush=True)
            if not link and (link := LINK.search(line)) and desktop.opened(link[0]):
                print("Opened in the browser.", flush=True)
    except KeyboardInterrupt:
        print()
    finally:
        program.terminate()
    return program.wait()


def run(options):
    preset = preset_of(options)
    chosen = GPU if preset == "gpu" else CPU
    build = built_programs(preset)
    dt = chosen["dt"] if options.scene == "merger" else None  # every other scene has its own
    return serve([build / chosen["program"], *flags(live=options.port, live_address=options.address, scene=options.scene,
                                                    bodies=options.bodies or chosen["bodies"], dt=dt)])
