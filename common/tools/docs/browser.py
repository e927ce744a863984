"""A Chromium without a display, which tests control with Debian's chromium-driver and python3-selenium."""

import shutil
import time
from pathlib import Path

from common.tools import packages

packages.use_python_with("selenium")
try:
    from selenium import webdriver
except ImportError:
    webdriver = None

# WebGL in software. A container has neither its own sandbox nor much shared memory.
FLAGS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--use-gl=angle",
         "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
HANG = 300  # seconds after which something never comes, however busy the machine is


def what_is_missing():
    """Returns the Debian packages that a browser needs and that are missing."""
    return ([] if webdriver else ["python3-selenium"]) + packages.without_program("chromedriver", "chromium")


def start(*flags, width=900, height=560, requests=False):
    """Yields a browser with pages of this size, which logs its console and, if wanted, its requests."""
    options = webdriver.ChromeOptions()
    for flag in [*FLAGS, *flags]:
        options.add_argument(flag)
    options.binary_location = shutil.which("chromium")
    # Requests are among all events of a page's network, which add a tenth to loading it.
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", **({"performance": "ALL"} if requests else {})})
    service = webdriver.chrome.service.Service(shutil.which("chromedriver"))
    browser = webdriver.Chrome(service=service, options=options)
    browser.set_script_timeout(HANG)
    resize(browser, width, height)
    return browser


def resize(browser, width, height):
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def wait_until(condition, what, seconds=HANG):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds} s for {what}")
        time.sleep(0.02)


def open_movie(browser, movie, wishes=""):
    """Opens the file, and waits until it is loaded."""
    browser.get("about:blank")  # otherwise another fragment alone would not load it again
    browser.get(f"{Path(movie).resolve().as_uri()}#{wishes}")
    wait_until(lambda: browser.find_element("id", "controls").is_displayed(), "the movie to be read")
