"""Files and folders that are written whole or not at all, and not over what is there already."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from common.base.command_line import BadInput


def check_places(*paths):
    """Ends the command if write_whole() could not write one of these files, before the work for them is done. A path may be None."""
    for path in map(Path, filter(None, paths)):
        if path.is_dir() or not os.access(path.parent, os.W_OK | os.X_OK):
            why = "it is a folder" if path.is_dir() else f"folder '{path.parent}' " + (
                "may not be written" if path.parent.is_dir() else "does not exist")
            raise BadInput(f"cannot write '{path}': {why}")


def write_whole(path, text):
    """Writes text or bytes to the file at `path`. If anything fails, the file stays as it was."""
    path = Path(path)
    name = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        os.chmod(name, 0o644)  # mkstemp's are for their owner alone
        os.replace(name, path)
    except BaseException as error:
        if name:
            os.unlink(name)
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(path), None  # nobody knows the temporary one
        raise


@contextlib.contextmanager
def whole_folders(folders):
    """Fills new folders in a with. If anything fails there, removes them and all that is in them."""
    new = [folder for folder in folders if not os.path.lexists(folder)]
    try:
        yield
    except BaseException:
        for folder in new:
            shutil.rmtree(folder, ignore_errors=True)
        raise
