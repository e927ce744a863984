"""Makes a movie of two galaxies that merge, with 16,384 bodies, and opens it if there is a desktop.

The movie is one HTML file, build/<preset>/merger.html.
"""

import subprocess

from common.tools import desktop
from common.tools.build import add_preset, built, preset_of
from common.tools.programs import flags

# Also for ./run live. A CPU uses the largest time step that keeps the energy of a merger to 6e-4. A GPU is fast enough for a
# quarter of it, and for more bodies.
CPU = {"program": "common/simd", "bodies": 16384, "dt": 0.1}
GPU = {"program": "05_triangular_map/05_triangular_map", "bodies": 65536, "dt": 0.025}
# 300 frames from the approach over the first passage, at time 49, to the tails of the merger. In FP32 the files have 39.5 MB.
FRAMES, TIME_OF_A_FRAME = 300, 0.5

add_arguments = add_preset


def run(options):
    preset = preset_of(options)
    chosen = GPU if preset == "gpu" else CPU
    every = round(TIME_OF_A_FRAME / chosen["dt"])
    build = built(preset, chosen["program"].split("/")[1])  # only this program, so that the first picture comes soon
    movie = build / "merger.html"
    arguments = flags(scene="merger", bodies=16384, dt=chosen["dt"], steps=(FRAMES - 1) * every, frame_every=every,
                      repeats=5, movie=movie)
    status = subprocess.run([build / chosen["program"], *arguments]).returncode
    if status == 0:
        opened = desktop.opened(movie.as_uri())
        print(f"\n{movie}\n" + ("Opened in the browser." if opened else "Open it in any browser."))
    return status
