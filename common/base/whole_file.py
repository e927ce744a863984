"""Files that are written whole or not at all, and not over what is there already."""

import os
import tempfile
from pathlib import Path


def write_whole(path, text):
    """Writes text or bytes to the file at `path`. If anything fails, the file stays as it was."""
    path = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        os.chmod(name, 0o644)  # mkstemp's are for their owner alone
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
