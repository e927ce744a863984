"""Makes a page of what the kernels of a wrong submission do, from a run in the sandbox in which it is graded.

The run may write one file, the recording. What is in it comes from the submission and may be anything: another process reads
it, with limits on time and memory, and the page shows of all files only those that were handed in. If something fails, there
is no page.
"""

import contextlib
import os

from common.base.whole_file import write_whole
from common.executor.checker import see
from common.grader.runs import Stopped
from common.grader.sandbox.limited_run import run_limited
from common.grader.steps import facts

RAGGED = 11  # bodies in the last block, which is then not full
MANY = 1000  # bodies, if the mistake does not show with few
RECORDED_BYTES = 32 << 20
PAGE_SECONDS, PAGE_MEMORY = 60, 2 << 30


def small_blocks(step):
    """Returns (threads of a small block, the arguments of a program that uses them), so that one can look at all threads."""
    block = facts(step).smallest_block
    return block, [] if facts(step).block is None else ["--block", str(block)]


def recording(file, report):
    """Returns arguments of SubmissionProcess with which a program writes to the file what its threads do."""
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC))
    file.chmod(0o666)  # the sandbox may have another user
    return {"settings": [f"{name}={value}" for name, value in see.settings(file, report).items()],
            "writable": [file], "file_bytes": RECORDED_BYTES}


def write(page, submission, exercise, names, folder):
    """Writes the page. names: of the files that were handed in; folder: one that only the grader may write to"""
    block, words = small_blocks(submission.step)
    own = exercise.arguments if exercise else []
    counts = exercise.words("Counts") if exercise else []
    runs = [(int(n), own) for n in counts[:1]] or [(block + RAGGED, [*words, *own]), (MANY, own)]
    report, recorded, made = folder / "report.txt", folder / "see.jsonl", folder / "page.html"
    try:
        # The first run that is wrong; the first of all if none is, as if it is only slow.
        tried = [(submission.watched(*run), run) for run in runs]
        (_, said), run = next((one for one in tried if one[0][0]), tried[0])
        submission.recording(recording(recorded, said)).watched(*run)
    except Stopped:
        return
    report.write_text(said)
    files = [submission.place / name for name in names]
    run_limited(see.command(recorded, report, made, submission.place / submission.main, files), PAGE_SECONDS,
                memory=PAGE_MEMORY, file_bytes=RECORDED_BYTES)
    with contextlib.suppress(OSError):
        page.parent.mkdir(parents=True, exist_ok=True)
        write_whole(page, made.read_bytes())
