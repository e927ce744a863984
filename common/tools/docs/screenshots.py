"""Takes the screenshots of the docs from movies that were made before.

    python3 common/tools tools.docs.screenshots MOVIE:WISHES:WIDTHxHEIGHT:IMAGE...

WISHES: what stands after the '#' of a movie's address. IMAGE ends in .jpg.
"""

import base64
import sys
import time
from pathlib import Path

from common.tools import packages
from common.tools.docs import browser


def main():
    if missing := browser.what_is_missing():
        raise SystemExit(f"screenshots: {packages.by_hand(missing)}")
    chromium = browser.start()
    for argument in sys.argv[1:]:
        movie, wishes, size, image = argument.split(":")
        browser.resize(chromium, *(int(side) for side in size.split("x")))
        browser.open_movie(chromium, movie, f"paused&{wishes}")
        time.sleep(2)  # for the picture, which software takes its time over
        shot = chromium.execute_cdp_cmd("Page.captureScreenshot", {"format": "jpeg", "quality": 80})
        Path(image).write_bytes(base64.b64decode(shot["data"]))
    chromium.quit()
