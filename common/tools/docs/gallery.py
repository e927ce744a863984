"""Makes the movies of docs/gallery.md, each of at most 2 MB; 20 s on two cores."""

import subprocess

from common.base.command_line import CommandFailed
from common.tools import progress

MOST_BYTES = 2_000_000

# Bodies times frames is what a movie's size goes by.
MOVIES = {
    "merger": "--bodies 3000 --dt 0.1 --steps 1185 --frame-every 15",
    "collapse": "--bodies 3000 --dt 0.002 --steps 1264 --frame-every 16",
    "solar": "--dt 0.015625 --steps 4824 --frame-every 6",  # twelve years, a turn of Jupiter
}


def make(program, folder):
    """program: the baseline simd"""
    folder.mkdir(parents=True, exist_ok=True)
    for scene, arguments in MOVIES.items():
        movie = folder / f"{scene}.html"
        command = [program, "--scene", scene, *arguments.split(), "--no-measure", "--no-check", "--movie", movie]
        progress.show(making=movie.name)
        if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
            raise CommandFailed(f"{movie.name} could not be made")
        progress.show(making="")
        size = movie.stat().st_size
        print(f"{movie}: {size * 1e-6:.2f} MB")
        if size > MOST_BYTES:
            raise CommandFailed(f"{movie} is larger than 2 MB")
