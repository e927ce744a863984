"""Builds the documentation with Doxygen, offline, and prints where it is.

The build fails if there is a warning, a broken link, a missing picture, or a number that matches no recorded result.
"""

import argparse
import os
import re
import shutil
import subprocess
import webbrowser
from pathlib import Path

from common.base.command_line import BUILDS, ROOT, BadInput, CommandFailed, own_git, shown_path
from common.tools import packages, progress
from common.tools.build import add_preset, built, made_folder, preset_of, step_names
from common.tools.docs import search, seen
from common.tools.docs.check import broken_links
from common.tools.docs.frame import Frame
from common.tools.docs.pages import EMPTIED, Pages
from common.tools.docs.results import Results

# Movies of docs/gallery.md, which take half a minute on two cores. A movie's size grows with bodies times frames.
MOVIES = {
    "merger": "--bodies 3000 --dt 0.1 --steps 2160 --frame-every 30",
    "collapse": "--bodies 3000 --dt 0.002 --steps 1264 --frame-every 16",
    "solar": "--dt 0.015625 --steps 4824 --frame-every 6",  # twelve years, one orbit of Jupiter
}
# Pages that are a part of another page by now: links to their old addresses still lead there.
MOVED = {"add_a_step": "how_a_step_is_made", "bibliography": "papers", "executor": "plain_cuda",
         "lifting": "library", "plain_cuda_corpus": "plain_cuda", "reference": "how_a_step_is_made", "timeline": "profiling"}
MATHJAX = Path("/usr/share/javascript/mathjax")
# Folders of MathJax that the pages' formulas need.
MATHJAX_PARTS = ["extensions", "fonts/HTML-CSS/TeX/woff", "jax/element", "jax/input/TeX", "jax/output/CommonHTML"]

# Doxygen links a name in quoted code to anything of that name, for example a parameter to a member of the executor.
CODE_LINK = re.compile(r'<a class="code hl_\w+" href="[^"]+">([^<]*)</a>')


def add_arguments(parser):
    add_preset(parser, help="build of the programs that make the gallery's movies")
    parser.add_argument("--open", action="store_true", help="show it in a browser")
    parser.add_argument("--output", type=Path, default=BUILDS / "docs", help="the folder to write (default: build/docs)")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    # For CTest and CMake: installs and builds nothing, and without --build makes no movies.
    parser.add_argument("--as-it-is", action="store_true", help=argparse.SUPPRESS)


def settings(output):
    """Returns docs/Doxyfile with the settings that depend on the output folder."""
    sources = f"common {' '.join(step_names())}"  # not ".", because Doxygen would also search build/
    folder = str(output).replace('"', r'\"')
    return (f'@INCLUDE = docs/Doxyfile\nOUTPUT_DIRECTORY = "{folder}"\nINPUT = "{folder}/pages" {sources}\n'
            f'STRIP_FROM_PATH = . "{folder}"\nEXAMPLE_PATH = "{folder}/generated"\n'
            f'WARN_LOGFILE = "{folder}/warnings.log"\nPROJECT_NUMBER = {commit()}\n'
            f'GENERATE_TAGFILE = "{folder}/tags.xml"\n')


def commit():
    if not shutil.which("git"):
        return os.environ.get("NBODY_COMMIT", "unknown")
    shown = subprocess.run(own_git("describe", "--always"), capture_output=True, text=True)
    return shown.stdout.strip()


def make_movies(programs, folder):
    """Makes the movies of docs/gallery.md if one is missing or older than its program."""
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


def make_folder(output):
    """Makes the folder of the site. Refuses one in which build() would delete folders that this command has not made."""
    mark = output / "warnings.log"  # Doxygen's
    if not mark.exists() and (theirs := next((name for name in EMPTIED if (output / name).exists()), None)):
        raise BadInput(f"--output: {output} has a folder '{theirs}' of something else, which would be deleted; name another folder")
    if output == (BUILDS / "docs").resolve():
        made_folder(output)
    try:
        output.mkdir(parents=True, exist_ok=True)
        mark.touch()
    except OSError as error:
        raise BadInput(f"--output: {output}: {error.strerror}") from None


def build(output):
    """Returns errors, one per line; none if the site is complete."""
    pages = Pages(Results(), output)
    pages.write_all()
    if pages.gallery:
        shutil.copytree(output / "movies", pages.html / "movies")
    if seen.FOLDER.exists():
        shutil.copytree(seen.FOLDER, pages.html / "see", ignore=lambda _, names: [name for name in names if not seen.is_there(Path(name).stem)])
    for part in MATHJAX_PARTS:
        shutil.copytree(MATHJAX / part, pages.html / "mathjax" / part)
    shutil.copy(MATHJAX / "MathJax.js", pages.html / "mathjax")
    ran = subprocess.run(["doxygen", "-"], input=settings(output), cwd=ROOT, text=True, capture_output=True)
    warnings = (output / "warnings.log").read_text() + ran.stderr
    if ran.returncode != 0 or warnings:
        text = warnings.replace(f"{output}/pages", "docs/pages").replace(f"{ROOT}/", "")
        return text.splitlines() or [f"doxygen failed with status {ran.returncode}"]
    files = [pages.html / f"{name}.html" for name in pages.names]
    for file in files:
        file.write_text(CODE_LINK.sub(r"\1", file.read_text()))
    search.write(pages.html / "search_data.js", files, output / "tags.xml")
    frame = Frame(pages.gallery)
    for file in pages.html.glob("*.html"):
        frame.finish(file)
    for old, new in MOVED.items():
        place = f"{new}.html#{old}"
        (pages.html / f"{old}.html").write_text(f'<meta http-equiv="refresh" content="0; url={place}"><a href="{place}">moved</a>\n')
    return broken_links(pages.html)


def run(options):
    output = options.output.resolve()
    make_folder(output)
    if missing := packages.for_docs():
        if options.as_it_is:
            raise CommandFailed(f"SKIPPED: {', '.join(missing)} missing")
        packages.install(missing)
    if options.build or not options.as_it_is:
        make_movies(options.build or built(preset_of(options), "simd"), output / "movies")
        seen.make()
    errors = build(output)
    if errors:
        raise CommandFailed("\n".join(["the documentation has errors", *errors[:50], f"{len(errors)} lines of errors"]))
    index = output / "html" / "index.html"
    print(f"Written: {shown_path(index)}")
    if options.open and not webbrowser.open(index.as_uri()):
        raise CommandFailed("no browser was found to open it with")
