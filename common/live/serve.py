"""Serves the live run of one program that is built, as ./run live does:

python3 common/tools live.serve [--port PORT] [--address ADDRESS] -- PROGRAM [OPTION OF THE PROGRAM'S...]
"""

import asyncio
import os
import socket
import sys
from pathlib import Path

from common.tools import desktop
from common.live import server
from common.live.run import Run


def begin(served):
    """Prints the link and opens it."""
    link = served.link()
    host, port = server.host_of(served.address), served.port
    for name, text in (("the page", link),
                       *([("behind the proxy", f"http://{host}:{port}")] if served.host_name else []),
                       ("from elsewhere", f"ssh -L {port}:{host}:{port} {os.environ.get('USER', 'user')}@{socket.gethostname()}"),
                       ("stop", "Ctrl-C")):
        print(f"{name:<14} {text}")
    if desktop.opened(link):
        print("Opened in the browser.")
    sys.stdout.flush()


def serve(listener, program, arguments, name=None, builder=None):
    """Serves until the run ends or is stopped. Returns its exit status. name: the host name of a proxy; builder: the process that
    still builds other programs
    """
    return asyncio.run(Run(program, arguments, listener, begin, name, builder).serve())


def add_arguments(parser):
    parser.add_argument("--port", default="0")
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("program", type=Path)
    parser.add_argument("options", nargs="*", default=[])


def run(options):
    with server.listening(options.address, options.port) as listener:
        return serve(listener, options.program, options.options)
