"""Makes a movie of two galaxies that merge, with 16,384 bodies, and opens it if there is a desktop.

The movie is one HTML file, build/<preset>/merger.html.
"""

import subprocess

from common.tools import desktop
from common.tools.build import add_preset, built, preset_of
from common.tools.programs import flags

# 300 frames from the approach over the first passage, at time 49, to the tails of the merger. In FP32 the files have 39.5 MB. A
# CPU uses the largest time step that keeps the energy to 6e-4; a GPU is fast enough for a quarter of it.
FRAMES = 300
CPU = {"program": "common/simd", "dt": 0.1, "every": 5}
GPU = {"program": "05_triangular_map/05_triangular_map", "dt": 0.025, "every": 20}


add_arguments = add_preset


def run(options):
    preset = preset_of(options)
    chosen = GPU if preset == "gpu" else CPU
    build = built(preset, chosen["program"].split("/")[1])  # only this program, so that the first picture comes soon
    movie = build / "merger.html"
    arguments = flags(scene="merger", bodies=16384, dt=chosen["dt"], steps=(FRAMES - 1) * chosen["every"],
                      frame_every=chosen["every"], repeats=5, movie=movie)
    status = subprocess.run([build / chosen["program"], *arguments]).returncode
    if status == 0:
        opened = desktop.opened(movie.as_uri())
        print(f"\n{movie}\n" + ("Opened in the browser." if opened else "Open it in any browser."))
    return status
