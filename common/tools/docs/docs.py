"""Builds the documentation with Doxygen, offline, and prints where it is.

The build fails if there is a warning, a broken link, a missing picture, or a number that matches no recorded result.
"""

import argparse
import os
import shutil
import subprocess
import sys
import webbrowser
from pathlib import Path

from common.base.command_line import ROOT, CommandFailed, shown_path
from common.tools import packages, progress
from common.tools.build import add_preset, built, preset_of, step_names
from common.tools.docs import code_links, search, sheet, slides, tags
from common.tools.docs.check import broken_links
from common.tools.docs.pages import GALLERY, BadPage, Pages
from common.tools.docs.results import Results

MOST_BYTES = 2_000_000
# Of docs/gallery.md, in half a minute on two cores. Bodies times frames is what a movie's size goes by.
MOVIES = {
    "merger": "--bodies 3000 --dt 0.1 --steps 2160 --frame-every 30",
    "collapse": "--bodies 3000 --dt 0.002 --steps 1264 --frame-every 16",
    "solar": "--dt 0.015625 --steps 4824 --frame-every 6",  # twelve years, a turn of Jupiter
}
MATHJAX = Path("/usr/share/javascript/mathjax")
# What the pages' formulas need of it.
MATHJAX_PARTS = ["MathJax.js", "extensions", "jax/element", "jax/input/TeX", "jax/output/SVG", "localization/en"]


def add_arguments(parser):
    add_preset(parser, help="build of the programs that make the gallery's movies")
    parser.add_argument("--open", action="store_true", help="show it in a browser")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "docs", help="the folder to write (default: build/docs)")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    # For CTest and CMake: nothing is installed or built, and without --build no movies are made.
    parser.add_argument("--as-it-is", action="store_true", help=argparse.SUPPRESS)


def settings(output):
    """docs/Doxyfile, with what depends on where the site goes."""
    script = Path(__file__).with_name("filter.py")
    filters = " ".join(f'"*/{step}/*={sys.executable} {script}"' for step in step_names())
    sources = f"common {' '.join(step_names())}"  # not ".": Doxygen would look below build/ too
    return (f"@INCLUDE = docs/Doxyfile\nOUTPUT_DIRECTORY = {output}\nINPUT = {output}/pages {sources}\n"
            f"STRIP_FROM_PATH = . {output}\nEXAMPLE_PATH = {output}/generated\nFILTER_PATTERNS = {filters}\n"
            f"LAYOUT_FILE = {output}/layout.xml\nWARN_LOGFILE = {output}/warnings.log\nPROJECT_NUMBER = {commit()}\n"
            f"GENERATE_TAGFILE = {output}/tags.xml\n")


def commit():
    if not shutil.which("git"):
        return os.environ.get("NBODY_COMMIT", "unknown")
    shown = subprocess.run(["git", "describe", "--always"], cwd=ROOT, capture_output=True, text=True)
    return shown.stdout.strip()


def copy_mathjax(folder):
    for part in MATHJAX_PARTS:
        source, target = MATHJAX / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            other_fonts = [font.name for font in source.glob("fonts/*") if font.name != "TeX"]
            shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*other_fonts))
        else:
            shutil.copy(source, target)


def make_movies(programs, folder):
    """The movies of docs/gallery.md, anew where the program that makes them is newer."""
    program, made = programs / "common" / "simd", [folder / f"{scene}.html" for scene in MOVIES]
    if all(movie.exists() and movie.stat().st_mtime > program.stat().st_mtime for movie in made):
        return
    folder.mkdir(parents=True, exist_ok=True)
    for scene, arguments in MOVIES.items():
        movie = folder / f"{scene}.html"
        command = [program, "--scene", scene, *arguments.split(), "--no-measure", "--no-check", "--movie", movie]
        with progress.shown(making=movie.name):
            if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
                raise CommandFailed(f"{movie.name} could not be made")
        size = movie.stat().st_size
        print(f"{movie}: {size * 1e-6:.2f} MB")
        if size > MOST_BYTES:
            raise CommandFailed(f"{movie} is larger than 2 MB")


def build(output):
    """Errors, one a line; none where the site is whole."""
    try:
        pages = Pages(Results(), output)
        pages.write_all()
    except BadPage as error:
        return [str(error)]
    if pages.gallery:
        shutil.copytree(output / "movies", pages.html / "movies")
    pages.contents.write(output / "layout.xml")
    copy_mathjax(pages.html / "mathjax")
    ran = subprocess.run(["doxygen", "-"], input=settings(output), cwd=ROOT, text=True, capture_output=True)
    warnings = (output / "warnings.log").read_text() + ran.stderr
    if ran.returncode != 0 or warnings:
        text = warnings.replace(f"{output}/pages", "docs/pages").replace(f"{ROOT}/", "")
        return text.splitlines() or [f"doxygen failed with status {ran.returncode}"]
    entries = tags.entries(output / "tags.xml")
    code_links.write(pages.html, pages.contents.titles, entries)
    slides.write(pages.html)
    sheet.write(pages.html)
    search.write(pages.html, pages.contents.titles, entries)
    return broken_links(pages.html)


def run(options):
    if missing := packages.for_docs():
        if options.as_it_is:
            raise CommandFailed(f"SKIPPED: {', '.join(missing)} missing")
        packages.install(missing)
    output = options.output.resolve()
    if GALLERY.exists() and not (options.as_it_is and not options.build):
        make_movies(options.build or built(preset_of(options), "simd"), output / "movies")
    errors = build(output)
    if errors:
        raise CommandFailed("\n".join(["the documentation has errors", *errors[:50], f"{len(errors)} lines of errors"]))
    index = output / "html" / "index.html"
    print(f"Written: {shown_path(index)}")
    if options.open and not webbrowser.open(index.as_uri()):
        raise CommandFailed("no browser was found to open it with")
