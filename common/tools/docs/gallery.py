"""Makes the movies of docs/gallery.md, each of at most 2 MB.

    python3 common/tools/gallery.py --build build/cpu --output FOLDER

Needs the program `simd` of that build; 20 s on two cores.
"""

import subprocess
import sys
from pathlib import Path

from common.base.command_line import OneLineParser

MOST_BYTES = 2_000_000

# Bodies times frames is what a movie's size goes by.
MOVIES = {
    "merger": "--bodies 3000 --dt 0.1 --steps 1185 --frame-every 15",
    "collapse": "--bodies 3000 --dt 0.002 --steps 1264 --frame-every 16",
    "solar": "--dt 0.015625 --steps 4824 --frame-every 6",  # twelve years, a turn of Jupiter
}


def main():
    parser = OneLineParser(prog="gallery.py", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--build", type=Path, required=True, help="a build's folder")
    parser.add_argument("--output", type=Path, required=True, help="folder of the movies, made where there is none")
    options = parser.parse_args()
    program = options.build / "common" / "simd"
    if not program.exists():
        parser.error(f"{program} is missing: cmake --build {options.build} --target simd")
    options.output.mkdir(parents=True, exist_ok=True)
    for scene, arguments in MOVIES.items():
        movie = options.output / f"{scene}.html"
        command = [program, "--scene", scene, *arguments.split(), "--no-measure", "--no-check", "--movie", movie]
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if result.returncode != 0:
            return result.returncode
        size = movie.stat().st_size
        print(f"{movie}: {size * 1e-6:.2f} MB")
        if size > MOST_BYTES:
            print(f"gallery.py: {movie} is larger than 2 MB", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
