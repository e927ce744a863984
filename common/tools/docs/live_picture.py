"""Takes the pictures of the live view, from a run that is computed meanwhile:

    python3 common/tools tools.docs.live_picture PROGRAM:KEYS:SECONDS:WIDTHxHEIGHT:IMAGE [OPTION OF THE PROGRAM'S...]

KEYS are pressed one after the other, with as long a time between them as makes those seconds together. IMAGE ends in
.webp.
"""

import base64
import sys
import time
from pathlib import Path

from common.tools import packages
from common.tools.docs import browser
from common.tools.live.served import Served


def main():
    if missing := browser.what_is_missing():
        raise SystemExit(f"live_picture: {packages.by_hand(missing)}")
    program, keys, seconds, size, image = sys.argv[1].split(":")
    chromium = browser.start()
    browser.resize(chromium, *(int(side) for side in size.split("x")))
    scheme = {"name": "prefers-color-scheme", "value": "dark"}
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    with Served(program, *sys.argv[2:]) as running:
        chromium.get(running.links[0])
        for key in [*keys, ""]:
            time.sleep(float(seconds) / (len(keys) + 1))
            chromium.find_element("id", "stage").send_keys(key)
        shot = chromium.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": 80})
    chromium.quit()
    Path(image).write_bytes(base64.b64decode(shot["data"]))
