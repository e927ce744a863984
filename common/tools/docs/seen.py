"""Records pages for the site that show what the threads of a kernel do (./run cuda --see).

PICTURES has those of the lessons, mistaken() those of likely mistakes: wrong lines of puzzles, and wrong kernels of steps 01 to 05.
A page is recorded again if a source is newer. {{see NAME: words}} embeds a page, {{seen NAME}} links to it (pages.py).
"""

import concurrent.futures
import contextlib
import dataclasses
import html
import io
import json
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from common.base.command_line import BUILDS, ROOT, CommandFailed
from common.base.whole_file import write_whole
from common.executor.checker import see
from common.grader.exercises import mutant_corpus
from common.grader.exercises.files import exercises
from common.grader.steps import facts
from common.tools import progress
from common.tools.cuda import cuda
from common.tools.exercises import puzzles
from common.tools.exercises.instructors_guide import PUZZLE_LINES, SEEN_STEPS, is_seen

FOLDER = BUILDS / "seen"  # not that of ./run check --see, whose pages are the user's
SOURCES = ROOT / "docs" / "see"
DATA = "const data = "  # in a page, before what it shows


@dataclasses.dataclass(frozen=True)
class Picture:
    """place: launch, block, step and thread that the page shows first; empty: its first mistake
    is_answer: the page leaves the source out, because an exercise asks for it
    height: of its frame in a lesson, in the unit rem
    """

    file: Path
    options: str = ""
    place: str = ""
    texts: dict = dataclasses.field(default_factory=dict)  # files that are written first: text by path
    is_answer: bool = False
    height: int = 50


def of_step(step, bodies, before=(), **more):
    """Returns the picture of a step's kernel. before: folders in which its files are searched first"""
    folders = [f"-I{folder}" for folder in (*before, ROOT / "common", ROOT, ROOT / step)]
    known = facts(step).pictured
    defined = [f"-DNBODY_{name}={value}" for name, value in (
        ("FORCES", f'"{step}/forces.cu"'), ("BODIES", bodies), ("KERNEL", known["kernel"]), ("THREADS", known["threads"]),
        ("OF_BLOCK", known["bodies"]), ("LANES", known.get("before_softening", "")))]
    return Picture(SOURCES / "forces.cu", shlex.join(["-std=c++20", *folders, *defined]), is_answer=True, **more)


def of_tile(before=(), is_diagonal=False, **more):
    """Returns the picture of step 05's kernel for one tile. before: folders in which its files are searched first"""
    folders = [f"-I{folder}" for folder in (*before, ROOT / "common", ROOT)]
    options = shlex.join(["-std=c++20", *folders, f"-DNBODY_DIAGONAL={str(is_diagonal).lower()}"])
    return Picture(SOURCES / "rotation.cu", options, is_answer=True, height=64, **more)


PICTURES = {
    "tile": of_step("02_tiled", 12, place="0.1.5"),
    "rotation": of_tile(place="0.0.21"),
    "reduction": Picture(SOURCES / "reduction.cu", place="0.0.4"),
    "histogram": Picture(SOURCES / "histogram.cu", place="0.0.3"),
}


def mistaken():
    """Returns a picture for each likely mistake that a run of a few threads shows, by the name of its page."""
    found = {}
    lines = json.loads(PUZZLE_LINES.read_text())
    for puzzle in puzzles.puzzles():
        for number, (line, _) in enumerate(lines[puzzle.name]["wrong"]):
            file = FOLDER / "sources" / f"{puzzle.number}_{number}" / puzzle.file
            found[f"{puzzle.number}_{number}"] = Picture(file, texts={file: puzzle.with_line(line)})
    for name in sorted({name for exercise in exercises() for name in exercise.mistakes}):
        mutant = mutant_corpus.mutant(name)
        if is_seen(mutant):
            place = FOLDER / "sources" / name
            texts = {place / mutant.step / file: text for file, text in mutant.sources().items()}
            found[name] = of_step(mutant.step, 11, [place], texts=texts) if facts(mutant.step).pictured else of_tile(
                [place], "diagonal" in name, texts=texts)
    return found


def newest_source():
    """Returns the time of the newest file that all pages are made of."""
    folders = [ROOT / "common" / name for name in ("executor", "base", "bodies", "cuda", "driver", "measure", "physics")]
    files = [path for folder in (*folders, SOURCES, *(ROOT / step for step in SEEN_STEPS))
             for path in folder.rglob("*")]
    return max(path.stat().st_mtime for path in [*files, Path(__file__)])


def is_current(name, picture, newest):
    """Returns whether a page is newer than all that it is made of."""
    page = FOLDER / f"{name}.html"
    return (page.exists() and page.stat().st_mtime > newest and
            all(path.exists() and path.read_text() == text for path, text in picture.texts.items()))


def record(compiler, name, picture):
    """Records one page. Returns whether there is something to see."""
    for path, text in picture.texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    page = FOLDER / f"{name}.html"
    page.unlink(missing_ok=True)  # if this ends early, there is no page with an older text
    with tempfile.TemporaryDirectory() as folder:
        program, made = Path(folder) / picture.file.stem, Path(folder) / "page.html"
        command = [compiler, "--check", picture.file, *shlex.split(picture.options), "-o", program]
        if subprocess.run(list(map(str, command)), capture_output=True).returncode == 0:
            see.record(made, [str(program)], source=picture.file, is_quiet=True)
        # An empty page if there is nothing to see: the file does not compile, or its kernel uses no memory.
        text = made.read_text() if made.exists() else ""
        write_whole(page, without_source(text) if text and picture.is_answer else text)
    return page.stat().st_size > 0


def without_source(text):
    """Returns a page without the program's lines."""
    begin = text.index(DATA) + len(DATA)
    shown, length = json.JSONDecoder().raw_decode(text[begin:])
    kept = json.dumps({**shown, "files": {}}, separators=(",", ":")).replace("<", "\\u003c")
    hidden = text[:begin].replace("</style>", "#code { display: none } main { display: block }</style>", 1)
    return f"{hidden}{kept}{text[begin + length:]}"


def make(names=None):
    """Records the pages that are missing or older than a source."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    newest, wanted = newest_source(), {**PICTURES, **mistaken()}
    old = {name: picture for name, picture in wanted.items()
           if (names is None or name in names) and not is_current(name, picture, newest)}
    for page in FOLDER.glob("*.html"):
        if page.stem not in wanted:
            page.unlink()
    if not old:
        return
    compiler, _, _ = cuda.built_executor("check")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, progress.shown(recording=f"{len(old)} pages"), \
            contextlib.redirect_stdout(io.StringIO()):  # where each page is
        seen = dict(zip(old, pool.map(lambda each: record(compiler, *each), old.items())))
    if lost := [name for name in PICTURES if seen.get(name) is False]:
        raise CommandFailed(f"the page of {lost[0]} could not be recorded")


def is_there(name):
    page = FOLDER / f"{name}.html"
    return page.exists() and page.stat().st_size > 0


def address(name):
    place = PICTURES[name].place if name in PICTURES else ""
    return f"see/{name}.html{'#' if place else ''}{place}"


def embedded(name, words):
    """Returns the figure with this page in it."""
    if name not in PICTURES:
        raise ValueError(f"no picture '{name}'")
    if not is_there(name):
        return f'<p class="seen">{html.escape(words)}: ./run docs records this page.</p>'
    link = f'<a href="{address(name)}">Open it alone.</a>'
    return (f'<figure class="seen"><iframe loading="lazy" src="{address(name)}" style="height: {PICTURES[name].height}rem" '
            f'title="{html.escape(words)}"></iframe>'
            f"<figcaption>{html.escape(words)} {link}</figcaption></figure>")


def linked(name):
    """Returns a link to this page; empty if it was not recorded or has nothing to see."""
    return f'<a href="{address(name)}">see it</a>' if is_there(name) else ""
