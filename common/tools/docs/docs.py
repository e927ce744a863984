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
from common.tools import packages
from common.tools.build import made_folder, step_names
from common.tools.docs import search, seen
from common.tools.docs.check import broken_links
from common.tools.docs.frame import Frame
from common.tools.docs.pages import EMPTIED, Pages
from common.tools.docs.results import Results

MATHJAX = Path("/usr/share/javascript/mathjax")
# Folders of MathJax that the pages' formulas need.
MATHJAX_PARTS = ["extensions", "fonts/HTML-CSS/TeX/woff", "jax/element", "jax/input/TeX", "jax/output/CommonHTML"]

# Doxygen links a name in quoted code to anything of that name, for example a parameter to a member of the executor.
CODE_LINK = re.compile(r'<a class="code hl_\w+" href="[^"]+">([^<]*)</a>')


def add_arguments(parser):
    parser.add_argument("--open", action="store_true", help="show it in a browser")
    parser.add_argument("--output", type=Path, default=BUILDS / "docs", help="the folder to write (default: build/docs)")
    # For CTest: installs and builds nothing.
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
    frame = Frame()
    for file in pages.html.glob("*.html"):
        frame.finish(file)
    return broken_links(pages.html)


def run(options):
    output = options.output.resolve()
    make_folder(output)
    if missing := packages.for_docs():
        if options.as_it_is:
            raise CommandFailed(f"SKIPPED: {', '.join(missing)} missing")
        packages.install(missing)
    if not options.as_it_is:
        seen.make()
    errors = build(output)
    if errors:
        raise CommandFailed("\n".join(["the documentation has errors", *errors[:50], f"{len(errors)} lines of errors"]))
    index = output / "html" / "index.html"
    print(f"Written: {shown_path(index)}")
    if options.open and not webbrowser.open(index.as_uri()):
        raise CommandFailed("no browser was found to open it with")
