"""Makes a movie of two galaxies that merge, and opens it where there is a desktop.

Called by `./run demo`, which has built the program.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from common.base.command_line import OneLineParser

# 300 frames from the approach over the first passage, at time 49, and the tails to the merger. In FP32 the files are
# 39.5 MB. A CPU takes as long a step as keeps the energy to 6e-4; a GPU has the time for a quarter of it.
FRAMES = 300
CPU = {"program": "common/simd", "dt": 0.1, "every": 5}
GPU = {"program": "05_triangular_map/05_triangular_map", "dt": 0.025, "every": 20}


def open_on_desktop(movie):
    """Whether there is a desktop and it was asked to show the file."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) or not shutil.which("xdg-open"):
        return False
    subprocess.Popen(["xdg-open", movie], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    return True


def main():
    parser = OneLineParser(prog="./run demo", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--build", type=Path, required=True, help="a build's folder, named cpu or gpu")
    options = parser.parse_args()
    run = GPU if options.build.name == "gpu" else CPU
    movie = options.build.resolve() / "merger.html"
    status = subprocess.run(
        [options.build / run["program"], "--scene", "merger", "--bodies", "16384", "--dt", str(run["dt"]),
         "--steps", str((FRAMES - 1) * run["every"]), "--frame-every", str(run["every"]), "--repeats", "5",
         "--movie", movie]
    ).returncode
    if status == 0:
        print(f"\n{movie}\n" + ("Opened in the browser." if open_on_desktop(movie) else "Open it in any browser."))
    return status


if __name__ == "__main__":
    sys.exit(main())
