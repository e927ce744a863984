"""The temporary folder of a grader. A killed grader cannot remove its own, so the next grader does."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

PREFIX = "submission-"
TRIES = 5


@contextlib.contextmanager
def work_folder():
    """Yields a new folder, locked as long as this process lives. Without a lock, a folder belongs to a killed grader."""
    remove_abandoned()
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = locked(folder, fcntl.LOCK_EX)
        if lock is not None:
            break  # otherwise another grader removed it before it was locked
    try:
        yield folder
    finally:
        remove(folder)
        os.close(lock)


def remove(folder):
    """Removes the folder. A killed process may still write for a moment; the next grader removes what is left."""
    for _ in range(TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            break
        time.sleep(0.2)


def remove_abandoned():
    """Removes this user's folders that no living process has locked."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        lock = locked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if lock is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def locked(folder, how):
    """Returns the descriptor that holds the lock of a folder; None if it is gone, another user's or another grader's."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    with contextlib.suppress(BlockingIOError, FileNotFoundError):
        if os.fstat(lock).st_uid == os.geteuid():
            fcntl.flock(lock, how)
            if os.path.samestat(os.fstat(lock), os.lstat(folder)):
                return lock
    os.close(lock)
    return None
