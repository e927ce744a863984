"""Shows two merging galaxies in the browser while they are computed.

You can change every setting on the page. Press 1 to 9, x for step 10, or y for step 11, to switch to another step of the ladder.

The command prints a link, and an ssh command for a browser on another machine. It opens the browser if there is a desktop. It runs
until you press Ctrl-C.
"""

import contextlib
import os
import signal
import subprocess

from common.base.command_line import script
from common.tools import packages, ranks
from common.tools.build import add_preset, build_targets, configured, kernel_steps, preset_of
from common.tools.demo import CPU, GPU
from common.tools.programs import check_run_options, flags, scenes


def add_arguments(parser):
    add_preset(parser)
    parser.add_argument("--scene", default="merger", help="the initial bodies; the page offers all scenes (default: merger)")
    parser.add_argument("--bodies", metavar="N", help="number of bodies at the start (default: 16384; on a GPU 65536)")
    parser.add_argument("--port", default="8750", help="port of the page; 0 takes any free port (default: 8750)")
    parser.add_argument("--address", default="127.0.0.1", help="address of this machine at which the page is served; with any "
                        "other than the default, other machines can open the page if they have the link (default: 127.0.0.1)")
    parser.add_argument("--host-name", metavar="NAME", help="host name of a proxy (JupyterHub, Codespaces, nginx) through which "
                        "browsers open the page, for example lab.example.org")


def built_programs(preset, first):
    """Builds the programs that keys can choose. Returns (the preset's build folder, the process that still builds, or None). The
    first time, the galaxies begin to move as soon as the program `first` is there.
    """
    build = configured(preset)
    steps = [*kernel_steps(), *(ranks.STEPS if ranks.mpirun(build) else [])]
    if all((build / step / step).exists() for step in steps):
        build_targets(build, ["simd", *steps])
        return build, None
    build_targets(build, [first])
    command = ["nice", *script("tools.build"), preset, "simd", *steps]
    return build, subprocess.Popen(command, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def ended(process):
    """Ends a process with all that it has started, if there is one, at the end of a with."""
    try:
        yield process
    finally:
        if process and process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)  # Ninja ends its compilers
            process.wait()


def run(options):
    check_run_options(scene=options.scene, bodies=options.bodies)
    packages.need("websockets")
    from common.live import serve, server
    name = server.checked_name(options.host_name)
    with server.listening(options.address, options.port) as listener:  # before anything is built
        preset = preset_of(options)
        chosen = GPU if preset == "gpu" else CPU
        build, builder = built_programs(preset, chosen["program"].split("/")[1])
        dt = chosen["dt"] if options.scene == "merger" else None  # every other scene has its own
        with ended(builder):
            return serve.serve(listener, build / chosen["program"],
                               flags(scene=options.scene, bodies=options.bodies or scenes()[options.scene] or chosen["bodies"], dt=dt),
                               name, builder)
