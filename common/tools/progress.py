"""What a command is doing: in a terminal one line that the next replaces, elsewhere a line every few seconds."""

import sys
import threading

SECONDS = 4
_doing = {}  # "building": "12 of 40", in the order of their beginning
_lock = threading.RLock()
_ticker = None


def show(**doing):
    """show(running="03_unrolled"); an empty text ends it."""
    global _ticker
    with _lock:
        for what, text in doing.items():
            _doing[what] = text
            if not text:
                del _doing[what]
        if sys.stderr.isatty():
            print(f"\r\033[K{line()}", end="", file=sys.stderr, flush=True)
        elif _ticker is None:
            _ticker = threading.Thread(target=_tick, daemon=True)
            _ticker.start()


def line():
    return "; ".join(f"{what} {text}" for what, text in _doing.items())


def _tick():
    while not threading.Event().wait(SECONDS):
        with _lock:
            if _doing:
                print(line(), file=sys.stderr, flush=True)


def say(text, stream=None):
    """A line of the command's output, above that of the progress."""
    with _lock:
        under = sys.stderr.isatty() and _doing
        if under:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        print(text, file=stream or sys.stdout, flush=True)
        if under:
            show()


def complain(text):
    say(text, sys.stderr)
