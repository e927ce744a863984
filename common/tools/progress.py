"""Shows what a command is doing: in a terminal one line that the next replaces, otherwise a line for each stage that takes more
than a few seconds. "building 3 of 38" and "building 4 of 38" are the same stage.
"""

import contextlib
import re
import shutil
import sys
import threading
import time

SECONDS = 4
NUMBERS = re.compile(r"\d+ of \d+")
_doing = {}  # "building": "12 of 40", in the order of their start
_lock = threading.RLock()
_ticker = None
_told = 0.0  # time of the last line, or of the command's start
_stages = set()  # that a line without a terminal has named


@contextlib.contextmanager
def shown(**doing):
    """Calls show(), until the end of a with."""
    show(**doing)
    try:
        yield
    finally:
        show(**dict.fromkeys(doing, ""))


def show(**doing):
    """Shows progress, for example show(running="03_unrolled"); an empty text ends it."""
    global _ticker, _told
    with _lock:
        if not _doing:
            _told = time.monotonic()
        for what, text in doing.items():
            _doing[what] = text
            if not text:
                del _doing[what]
        if sys.stderr.isatty():
            fits = shutil.get_terminal_size().columns - 1  # a longer line would wrap, and could not be replaced
            print(f"\r\033[K{line()[:fits]}", end="", file=sys.stderr, flush=True)
        elif _ticker is None:
            _ticker = threading.Thread(target=_tick, daemon=True)
            _ticker.start()


def line():
    return "; ".join(f"{what} {text}" for what, text in _doing.items())


def _tick():
    global _told
    while True:
        time.sleep(0.25)
        with _lock:
            if _doing and time.monotonic() - _told >= SECONDS and (stage := NUMBERS.sub("", line())) not in _stages:
                _stages.add(stage)
                _told = time.monotonic()
                print(line(), file=sys.stderr, flush=True)


def say(text, stream=None):
    """Prints a line of the command's output, above that of the progress."""
    with _lock:
        under = sys.stderr.isatty() and _doing
        if under:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        print(text, file=stream or sys.stdout, flush=True)
        if under:
            show()


def complain(text):
    say(text, sys.stderr)
