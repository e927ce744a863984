"""Serves the page of the live view. Decides who may see and change a run, and what each viewer gets.

The server knows no simulation: it passes texts and frames to the viewers, and orders to the run.
"""

import asyncio
import errno
import hmac
import ipaddress
import json
import logging
import os
import re
import secrets
import socket
import time
from http import HTTPStatus

from common.base.command_line import BadInput, whole_number
from common.tools import packages

packages.use_python_with("websockets")
import websockets  # noqa: E402
from websockets.datastructures import Headers  # noqa: E402
from websockets.exceptions import ConnectionClosed  # noqa: E402

MOST_VIEWERS = 32
MOST_MESSAGE_BYTES = 4096
MOST_MESSAGES_PER_SECOND = 60  # limit per viewer
SECONDS_TO_READ = 30  # a viewer that reads nothing for so long is disconnected
SEND_BYTES = 1 << 19  # frames that a viewer has not read yet

# The page contains its script and its style, and connects only to this server.
POLICY = ("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; "
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
PROXY = "Behind a proxy, start ./run live with --host-name NAME, with the host name in your browser's address bar for NAME"


def listening(address, port):
    """Returns a socket that listens there. port: as text; 0 is any free one"""
    port = whole_number(0, 65535, "--port")(port)
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        raise BadInput(f"--address: must be an address such as 127.0.0.1 or ::1, not '{address}'") from None
    if parsed.is_unspecified:
        raise BadInput(f"--address: name one address of this machine, not all of them ({address}): the page is served under "
                       "that one")
    listener = socket.socket(socket.AF_INET6 if parsed.version == 6 else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)  # connections inherit it
    try:
        listener.bind((address, port))
        listener.listen()
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise BadInput(f"--port: {port} is in use; name another, or 0 for any free one") from None
        raise BadInput(f"--address: {address}: {os.strerror(error.errno)}") from None
    return listener


def host_of(address):
    """Returns the address for a link: [::1] for ::1."""
    return f"[{address}]" if ":" in address else address


def without_port(host):
    return re.fullmatch(r"(.*?)(:[0-9]{1,5})?", host, re.DOTALL)[1].lower()


def is_served(host, address, name=None):
    """Returns whether a request's Host is this machine's loopback, the address of the server or the name that the user allows,
    with or without a port. Other names may come from an attacker's DNS.
    """
    return without_port(host) in ("127.0.0.1", "localhost", "[::1]", host_of(address).lower(), name)


def is_own_page(origin, host, name=None):
    """Returns whether a page of this origin may open a socket: the one of the request's Host, or behind a proxy that of the
    allowed name, which may be served by HTTPS.
    """
    scheme, _, there = origin.lower().partition("://")
    return scheme == "http" and there == host.lower() or bool(name) and scheme in ("http", "https") and without_port(there) == name


def checked_name(name):
    """Returns the host name that a proxy uses, in lower case, or ends the command."""
    if name and not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?", name):
        raise BadInput(f"--host-name: must be a name such as lab.example.org, without http:// and port, not '{name}'")
    return name and name.lower()


def parted(target):
    """Returns (path, token) of a target such as "/?token=..."."""
    path, _, query = target.partition("?")
    return path, query[len("token="):] if query.startswith("token=") else ""


class Viewer:
    """A WebSocket to a page. Texts are never lost, but frames are dropped if the viewer is too slow."""

    def __init__(self, connection, number):
        self.connection, self.number = connection, number
        self.texts, self.frame, self.is_sending_frame = {}, None, False
        self.wake = asyncio.Event()
        self.second, self.messages = 0, 0

    def tell(self, kind, text):
        """Queues a text. It replaces an earlier text of the same kind that was not sent yet."""
        self.texts.pop(kind, None)
        self.texts[kind] = text
        self.wake.set()

    def show(self, frame):
        """Sends a frame. Returns False if the viewer has not read the last one yet."""
        if self.frame or self.is_sending_frame:
            return False
        self.frame = frame
        self.wake.set()
        return True

    def may_send(self):
        """Counts a message. Returns False if there are too many in this second."""
        now = int(time.monotonic())
        self.messages = self.messages + 1 if now == self.second else 1
        self.second = now
        return self.messages <= MOST_MESSAGES_PER_SECOND

    async def write(self):
        try:
            while True:
                await self.wake.wait()
                self.wake.clear()
                while self.texts or self.frame:
                    if self.texts:
                        message = self.texts.pop(next(iter(self.texts)))
                    else:
                        message, self.frame, self.is_sending_frame = self.frame, None, True
                    too_late = asyncio.get_running_loop().call_later(SECONDS_TO_READ, self.connection.transport.abort)
                    try:
                        await self.connection.send(message)
                    finally:
                        too_late.cancel()
                    self.is_sending_frame = False
        except ConnectionClosed:
            pass


class Server:
    """Calls heard(viewer, text) on messages of viewers, and counted(number) when one comes or goes. host_name: of a proxy, through
    which the page may be opened too
    """

    def __init__(self, listener, page, heard, counted, host_name=None):
        self.listener, self.page, self.heard, self.counted, self.host_name = listener, page, heard, counted, host_name
        self.token = secrets.token_hex(16)  # because loopback alone does not protect if others have accounts on the machine
        self.address, self.port = listener.getsockname()[:2]
        self.viewers, self.last, self.numbers, self.frames_dropped = {}, {}, 0, 0

    async def start(self):
        logging.getLogger("websockets").setLevel(logging.CRITICAL + 1)  # otherwise it would report each wrong request
        self.server = await websockets.serve(
            self.view, sock=self.listener, process_request=self.answer, compression=None, max_size=MOST_MESSAGE_BYTES,
            ping_interval=10, ping_timeout=20, close_timeout=1)

    async def stop(self):
        for viewer in self.viewers.values():
            viewer.connection.transport.abort()  # a viewer that does not read would delay the end
        self.server.close()
        await asyncio.wait([asyncio.ensure_future(self.server.wait_closed())], timeout=1)

    def link(self):
        page = f"https://{self.host_name}" if self.host_name else f"http://{host_of(self.address)}:{self.port}"
        return f"{page}/?token={self.token}"

    async def answer(self, first, second):
        """Returns the answer to a request; None for an accepted WebSocket. websockets calls it with (path, headers) up to
        version 13, later with (connection, request), and expects two kinds of answers.
        """
        is_old = isinstance(first, str)
        path, headers = (first, second) if is_old else (second.path, second.headers)
        status, text = self.decide(path, headers)
        if getattr(second, "method", "GET") != "GET":  # older versions allow nothing else
            status, text = HTTPStatus.METHOD_NOT_ALLOWED, "only GET is answered"
        if status is None:
            return None
        body = text if isinstance(text, bytes) else f"{text}\n".encode()
        kind = "html" if status == HTTPStatus.OK else "plain"
        fields = {"Content-Type": f"text/{kind}; charset=utf-8", "Content-Length": str(len(body)), "Connection": "close",
                  "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
                  "Cache-Control": "no-store"}
        if is_old:
            return status, fields, body
        from websockets.http11 import Response  # missing in version 9 of Ubuntu 22.04
        return Response(status.value, status.phrase, Headers(fields), body)

    def decide(self, target, headers):
        """Returns (status, text) of the answer; (None, None) for an accepted WebSocket."""
        hosts, origins, name = headers.get_all("Host"), headers.get_all("Origin"), self.host_name
        if len(hosts) != 1 or not is_served(hosts[0], self.address, name):
            return HTTPStatus.FORBIDDEN, f"this page is not served under this host name. {PROXY}"
        path, token = parted(target)
        if path not in ("/", "/socket"):
            return HTTPStatus.NOT_FOUND, "there is nothing here"
        if not hmac.compare_digest(token.encode(errors="surrogateescape"), self.token.encode()):
            return HTTPStatus.FORBIDDEN, "this needs the token: use the link that ./run live printed"
        if path == "/":
            return HTTPStatus.OK, self.page
        if len(origins) != 1 or not is_own_page(origins[0], hosts[0], name):
            return HTTPStatus.FORBIDDEN, f"only this page may ask for this. {PROXY}"
        if len(self.viewers) >= MOST_VIEWERS:
            return HTTPStatus.SERVICE_UNAVAILABLE, f"{MOST_VIEWERS} viewers are connected, which is the limit"
        return None, None

    async def view(self, connection, path=None):
        """Serves a viewer until it leaves."""
        self.numbers += 1
        viewer = self.viewers[self.numbers] = Viewer(connection, self.numbers)
        for kind, text in self.last.items():
            viewer.tell(kind, text)
        self.counted(len(self.viewers))
        writing = asyncio.ensure_future(viewer.write())
        try:
            async for message in connection:
                if not isinstance(message, str) or not viewer.may_send():
                    await connection.close(1008)
                    break
                self.heard(viewer.number, message)
        except ConnectionClosed:
            pass
        finally:
            writing.cancel()
            del self.viewers[viewer.number]
            self.counted(len(self.viewers))
            await asyncio.wait([writing])

    def tell(self, kind, message):
        """Sends a text to all viewers, and the last one of each kind to each later viewer."""
        self.last[kind] = json.dumps(message)
        for viewer in self.viewers.values():
            viewer.tell(kind, self.last[kind])

    def forget(self, kind):
        """Stops sending it to later viewers."""
        self.last.pop(kind, None)

    def refuse(self, number, what, why):
        """Tells a viewer, or with number 0 all viewers."""
        text = json.dumps({"type": "refused", "what": what, "why": why})
        for viewer in self.viewers.values():
            if number in (0, viewer.number):
                viewer.tell("refused", text)

    def show(self, frame):
        """Sends a frame to each viewer who has read the last one."""
        self.frames_dropped += sum(not viewer.show(frame) for viewer in self.viewers.values())
