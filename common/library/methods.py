"""Makes one object of the objects of each method, so that all methods fit into one library.

Every step has a computeForces() and Options, and in both precisions. So all names of a method become its own, except those that
it shares with common/ as a step's program does: a class's functions, or the executor's view of the thread that runs.
"""

import argparse
import subprocess
from pathlib import Path


def names(nm, files, kinds=None):
    """Returns the symbols that the files define for others, or only those of these kinds."""
    lines = subprocess.run([nm, "--extern-only", "--defined-only", "--format=posix", *files], check=True,
                           stdout=subprocess.PIPE, universal_newlines=True).stdout.splitlines()
    words = [line.split() for line in lines]
    return "".join(f"{name}\n" for name in sorted({word[0] for word in words if len(word) > 1 and word[1] in (kinds or word[1])}))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tools", nargs=3, metavar=("LD", "OBJCOPY", "NM"))
    parser.add_argument("--shared", nargs="+", help="archives that all methods share")
    parser.add_argument("--method", nargs="+", action="append", help="its name and its objects")
    options = parser.parse_args()
    ld, objcopy, nm = options.tools
    options.folder.mkdir(exist_ok=True)
    shared, unique = options.folder / "shared_names.txt", options.folder / "unique_names.txt"
    shared.write_text(names(nm, options.shared))
    for name, *objects in options.method:
        made = options.folder / f"{name}.o"
        # Section groups end here, because the last link would keep one of those with the same name and drop the others. GNU's
        # unique symbols may be in several objects only in groups, and weak symbols always may.
        subprocess.run([ld, "--relocatable", "--force-group-allocation", "-o", made, *objects], check=True)
        unique.write_text(names(nm, [made], "u"))
        for change in (f"--weaken-symbols={unique}", f"--keep-global-symbols={shared}"):
            subprocess.run([objcopy, change, made], check=True)


main()
