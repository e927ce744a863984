"""Opens a page in the browser if there is a desktop."""

import os
import webbrowser


def opened(address):
    # Without a desktop, a browser for the terminal would start.
    has_desktop = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(has_desktop and webbrowser.open(address))
