# SPDX-License-Identifier: AGPL-3.0-or-later
"""People read, post and listen while the server is restarted and upgraded again and again under a socket that stays open:
nobody is refused, everything is answered, and who listens is told to come again and does."""
import asyncio
import itertools
import os
import pathlib
import socket
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "crash"))

from activator import Activator  # noqa: E402
from websocket import CLOSE, PING, PONG, Frames, asking  # noqa: E402

LONG = bool(os.environ.get("DUNLIN_LONG"))
RESTARTS, UPGRADES = (20, 3) if LONG else (3, 1)
RATE, STREAMS, KEPT = 200 if LONG else 50, 50, 10
KEYS_S = 3  # in which a new site makes keys in advance, each of which an end has to wait for
RESTART = 1012  # what a WebSocket hears
SLOWEST_MS = int(os.environ.get("SLOWEST_MS", 500 if LONG else 0))  # 0: what a busy machine needs


class Gone(Exception):
    """The connection ended without a byte of an answer."""


async def answer_of(reader):
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
    except asyncio.IncompleteReadError as error:
        raise Gone(error.partial) from None
    except ConnectionResetError:
        raise Gone(b"") from None
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in head.split("\r\n")[1:] if line)}
    await reader.readexactly(int(headers.get("content-length", 0)))
    return int(head.split()[1]), headers["connection"]


class Crowd:
    """In a thread of its own: requests at an even pace, half of them over connections that are kept, and streams."""

    def __init__(self, port, token):
        self.port, self.token = port, token
        self.problems, self.longest, self.asked, self.again = [], 0.0, 0, 0
        self.opened = [0] * STREAMS
        self.numbers, self.stopping = itertools.count(), threading.Event()
        self.kept = []
        self.thread = threading.Thread(target=asyncio.run, args=[self.live()], daemon=True)

    async def live(self):
        streams = [asyncio.create_task(self.listen(n)) for n in range(STREAMS)]
        requests, begun, sent = set(), time.monotonic(), 0
        while not self.stopping.is_set():
            while sent < (time.monotonic() - begun) * RATE:
                requests.add(task := asyncio.create_task(self.ask()))
                task.add_done_callback(requests.discard)
                sent += 1
            await asyncio.sleep(0.002)
        await asyncio.gather(*requests)
        for task in streams:
            task.cancel()
        await asyncio.gather(*streams, return_exceptions=True)

    def request(self, number):
        common = f"Host: localhost\r\nAuthorization: Bearer {self.token}\r\n"
        if number % 20 == 0:
            body = f"status=number+{number}&visibility=private"
            return (f"POST /api/v1/statuses HTTP/1.1\r\n{common}Content-Type: application/x-www-form-urlencoded\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n{body}").encode()
        target = ["/api/v1/timelines/home?limit=5", "/api/v1/instance", "/health"][number % 3]
        return f"GET {target} HTTP/1.1\r\n{common}\r\n".encode()

    async def connect(self, request):
        """Asks at once, as clients do: this loop may come to it late."""
        fresh = socket.create_connection(("127.0.0.1", self.port))
        fresh.sendall(request)
        return await asyncio.open_connection(sock=fresh)

    async def ask(self):
        number, begun = next(self.numbers), time.monotonic()
        try:
            keep = number % 2 == 1
            connection = self.kept.pop() if keep and self.kept else None
            if connection:
                try:
                    return await self.say(number, connection, keep)
                except Gone as gone:  # the server closed what was idle as this was sent: clients ask again
                    if gone.args[0]:
                        raise
                    self.again += 1
            await self.say(number, None, keep)
        except Exception as error:
            self.problems.append(f"request {number}: {error!r}")
        finally:
            self.asked += 1
            self.longest = max(self.longest, time.monotonic() - begun)

    async def say(self, number, connection, keep):
        if connection:
            connection[1].write(self.request(number))
        else:
            connection = await self.connect(self.request(number))
        reader, writer = connection
        status, how = await asyncio.wait_for(answer_of(reader), 60)
        if status != 200:
            self.problems.append(f"request {number} was answered {status}")
        if keep and how == "keep-alive" and len(self.kept) < KEPT:
            self.kept.append(connection)
        else:
            writer.close()

    async def listen(self, n):
        while True:
            try:
                await (self.hear_socket(n) if n % 2 else self.hear_events(n))
            except (OSError, asyncio.IncompleteReadError, RuntimeError) as error:
                self.problems.append(f"stream {n}: {error!r}")
                await asyncio.sleep(0.1)

    async def begin(self, n, request, status):
        reader, writer = await self.connect(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if f" {status} ".encode() not in head[:16]:
            raise RuntimeError(head[:100])
        self.opened[n] += 1
        return reader, writer

    async def hear_socket(self, n):
        reader, writer = await self.begin(n, asking("/api/v1/streaming?stream=user", self.token), 101)
        frames = Frames()
        while data := await reader.read(65536):
            for kind, content in frames.take(data):
                if kind == PING:
                    writer.write(PONG)
                if kind == CLOSE:
                    code = int.from_bytes(content[:2], "big")
                    if code != RESTART:
                        self.problems.append(f"stream {n} ended with {code}")
                    return writer.close()
        raise RuntimeError("the socket ended without a word")

    async def hear_events(self, n):
        request = (f"GET /api/v1/streaming/user HTTP/1.1\r\nHost: localhost\r\n"
                   f"Authorization: Bearer {self.token}\r\n\r\n").encode()
        reader, writer = await self.begin(n, request, 200)
        while await reader.read(65536):
            pass
        writer.close()


def wait_for_streams(crowd, times):
    """All are back, and nobody came twice."""
    end = time.monotonic() + 30
    while min(crowd.opened) < times and time.monotonic() < end:
        time.sleep(0.01)


def survive():
    """[(what is checked, [problem...])...]"""
    program = os.environ["DUNLIN"]
    with tempfile.TemporaryDirectory(prefix="dunlin-restarts-") as name:
        server, crowd = Activator(pathlib.Path(name), program), None
        try:
            server.start()
            server.run("account", "create", "alice", "--email", "alice@example.org", "--confirmed")
            token = server.run("token", "create", "alice", "--scopes", "read write")
            time.sleep(KEYS_S)
            crowd = Crowd(server.port, token)
            crowd.thread.start()
            stops, starts = [], []
            for turn in range(RESTARTS + UPGRADES):
                wait_for_streams(crowd, turn + 1)
                time.sleep(0.5)
                if turn >= RESTARTS:
                    server.upgrade(program)
                stops.append(server.stop())
                starts.append(server.start())
            wait_for_streams(crowd, RESTARTS + UPGRADES + 1)
            crowd.stopping.set()
            crowd.thread.join(60)
            print(f"{RESTARTS} restarts and {UPGRADES} upgrades: {crowd.asked} requests, {crowd.again} asked again over another "
                  f"connection; longest answer {crowd.longest * 1000:.0f} ms; stop at most {max(stops) * 1000:.0f} ms, start "
                  f"at most {max(starts) * 1000:.0f} ms", flush=True)
            wrong = {count for count in crowd.opened if count != RESTARTS + UPGRADES + 1}
            late = [f"one waited {crowd.longest * 1000:.0f} ms"] if 0 < SLOWEST_MS < crowd.longest * 1000 else []
            return [
                ("no request fails while the server is restarted and upgraded", crowd.problems[:20] + late),
                ("each stream comes again once", [f"some were opened {wrong} times"] if wrong else []),
                ("its log has no error", server.errors()),
            ]
        finally:
            if crowd:
                crowd.stopping.set()
            server.end()
