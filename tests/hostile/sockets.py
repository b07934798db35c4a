# SPDX-License-Identifier: AGPL-3.0-or-later
"""WebSockets that do what none should: frames that are no frames, floods, tokens that are taken back, coming and going
without end. Each ends as it must, others are served meanwhile, and memory does not grow. A sample, or as much as there may be
when DUNLIN_LONG is set."""
import json
import os
import pathlib
import re
import socket
import struct
import threading
import time

from server import Client, within
from websocket import BINARY, CLOSE, PING, TEXT, Frames, closed_with, frame, handshake

LONG = bool(os.environ.get("DUNLIN_LONG"))
CHURN_SECONDS, CHURNING = (300, 16) if LONG else (6, 8)
PINGS = 200_000 if LONG else 20_000
MOST_GROWTH_MB, MOST_P99_MS = 12, 50
WITHIN = 1.0  # a token that is taken back; who is not told finds out within five

EVERYTHING = ["public", "public:local", "public:remote", "public:media", "user", "direct"]


def masked_size(size):
    return b"\xff" + size.to_bytes(8, "big")


def unmasked(kind, content):
    return bytes([0x80 | kind, len(content)]) + content


# What is sent, and the code with which the socket must end; None: it stays.
BAD = [
    ("a text of a gigabyte", b"\x81" + masked_size(1 << 30) + b"\0\0\0\0", 1009),
    ("a text of more bytes than there are numbers", b"\x81" + masked_size((1 << 64) - 1) + b"\0\0\0\0", (1009, 1002)),
    ("a text a byte too long", frame("x" * 4097), 1009),
    ("ten thousand frames of one byte", frame("x", last=False) + frame("x", 0, False) * 10_000, 1009),
    ("a thousand frames of nothing", frame("", last=False) + frame("", 0, False) * 1000 + frame("{}", 0), None),
    ("bad UTF-8", frame(b"\xc3\x28"), 1007),
    ("UTF-8 that ends too early", frame(b"\xe2\x82"), 1007),
    ("a surrogate", frame(b"\xed\xa0\x80"), 1007),
    ("bytes", frame(b"\0\1\2", BINARY), 1003),
    ("a frame without a mask", unmasked(TEXT, b"{}"), 1002),
    ("a reserved bit", b"\xf1\x80\0\0\0\0", 1002),
    ("an unknown kind", frame("x", 3), 1002),
    ("a long ping", frame("x" * 126, PING), 1002),
    ("a ping in parts", frame("x", PING, False), 1002),
    ("a part of nothing", frame("x", 0), 1002),
    ("a text within a text", frame("x", last=False) + frame("y"), 1002),
    ("a close of one byte", frame(b"\x03", CLOSE), 1002),
    ("a close for a reason that is none", frame(struct.pack(">H", 1005), CLOSE), 1002),
    ("JSON of a thousand levels", frame("[" * 1000), None),
    ("no JSON", frame("subscribe"), None),
]


def subscribe(stream, **more):
    return frame(json.dumps({"type": "subscribe", "stream": stream, **more}))


def alive(client):
    """Whether it still answers a ping."""
    client.sendall(frame("still", PING))
    client.settimeout(30)
    frames = Frames()
    try:
        while data := client.recv(65536):
            if any(kind == 10 and content == b"still" for kind, content in frames.take(data)):
                return True
    except OSError:
        pass
    return False


def bad_frames(server, token):
    problems = []
    for what, data, wanted in BAD:
        client = handshake(server.port, "/api/v1/streaming", token)
        try:
            client.sendall(data)
        except OSError:
            pass  # it was ended before all was sent
        if wanted is None:
            if not alive(client):
                problems.append(f"{what} ended the socket")
        else:
            code = closed_with(client)
            if code not in (wanted if isinstance(wanted, tuple) else (wanted, 0)):
                problems.append(f"{what}: closed with {code} instead of {wanted}")
        client.close()
    return problems


def byte_by_byte(server, token, post):
    """A subscription that comes by single bytes is one all the same."""
    client = handshake(server.port, "/api/v1/streaming", token)
    for byte in subscribe("public"):
        client.sendall(bytes([byte]))
    client.settimeout(1)
    heard, end = b"", time.monotonic() + 30
    while b"heard byte by byte" not in heard and time.monotonic() < end:
        post("heard byte by byte")  # a subscription is not answered
        try:
            heard += client.recv(65536)
        except TimeoutError:
            pass
    client.close()
    return [] if b"heard byte by byte" in heard else ["it hears nothing"]


def ping_flood(server, token):
    """Pings without end, and nobody reads what is answered: bounded memory, and the socket ends or goes on."""
    client = handshake(server.port, "/api/v1/streaming?stream=public", token)
    client.settimeout(0.2)
    before, sent, some = memory_mb(server), 0, frame("x" * 125, PING) * 100
    begun = time.monotonic()
    while sent < PINGS and time.monotonic() < begun + 30:
        try:
            client.sendall(some)
        except OSError:
            break  # it takes no more, for nobody reads its answers
        sent += 100
    grown = memory_mb(server) - before
    client.close()
    return [f"memory grew by {grown:.0f} MB"] if grown > MOST_GROWTH_MB else []


def subscribe_flood(server, token):
    """So many streams and no more; who goes on asking is sent away."""
    problems = []
    client = handshake(server.port, "/api/v1/streaming", token)
    client.sendall(b"".join(subscribe("hashtag", tag=f"tag{n}") for n in range(60)))
    frames, errors = Frames(), 0
    client.settimeout(30)
    try:
        while errors < 10:
            errors += sum(b"Too many subscriptions" in content for _, content in frames.take(client.recv(65536)))
    except OSError:
        pass
    if errors != 10:
        problems.append(f"{errors} of 60 subscriptions were refused")
    flood = subscribe("hashtag", tag="one more") * 1000
    try:
        client.sendall(flood)
    except OSError:
        pass
    if (code := closed_with(client)) not in (1008, 0):
        problems.append(f"a flood of subscriptions was closed with {code}")
    client.close()
    return problems


class App:
    """Whose tokens it may take back."""

    def __init__(self, server):
        self.port = server.port
        fields = {"client_name": "traveller", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": "read write"}
        made = Client(self.port, "").post("/api/v1/apps", fields)
        self.keys = {key: made[key] for key in ("client_id", "client_secret")}
        self.token = Client(self.port, "").post(
            "/oauth/token", self.keys | {"grant_type": "client_credentials", "scope": "read write"})["access_token"]

    def person(self, name):
        """The token of somebody who signs up by it."""
        form = {"username": name, "email": f"{name}@example.org", "password": "correct horse battery", "agreement": True,
                "locale": "en"}
        return Client(self.port, self.token).post("/api/v1/accounts", form)["access_token"]

    def revoke(self, token):
        Client(self.port, "").post("/oauth/revoke", self.keys | {"token": token})


def revoked_in_flight(server, post):
    """A token is taken back while messages come: within a second the socket ends, and hears nothing of what comes later."""
    problems, app, stop, took = [], App(server), threading.Event(), []

    def write():
        while not stop.is_set():
            post("while it flows")

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    for n in range(5):
        token = app.person(f"traveller{n}")
        client = handshake(server.port, "/api/v1/streaming?stream=public", token)
        frames = Frames()
        frames.take(client.recv(65536))  # it hears the posts
        begun = time.monotonic()
        app.revoke(token)
        code = closed_with(client, 30, frames)
        took.append(time.monotonic() - begun)
        if code is None:
            problems.append("the socket stays open")
        client.close()
    stop.set()
    writer.join()
    # Most of them: a machine that does much else may be late for one.
    return problems + ([f"the sockets ended after {took} s"] if sorted(took)[2] > WITHIN else [])


def memory_mb(server, name="VmRSS"):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(rf"{name}:\s+(\d+)", status)[1]) / 1024


def churn(server, tokens, seconds):
    """Sockets that come, ask for streams and go, politely or not; how many came."""
    end, counts, problems = time.monotonic() + seconds, [], []

    def come_and_go(number):
        made = 0
        while time.monotonic() < end:
            try:
                client = handshake(server.port, f"/api/v1/streaming?stream={EVERYTHING[made % 6]}",
                                   tokens[(number + made) % len(tokens)], (f"127.0.2.{1 + number}", 0))
                client.sendall(subscribe("hashtag", tag=f"tag{made % 50}") + subscribe("public"))
                if made % 3 == 0:
                    client.sendall(frame(struct.pack(">H", 1000), CLOSE))
                    client.settimeout(30)
                    while client.recv(4096):
                        pass
                elif made % 3 == 1:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.close()
                made += 1
            except OSError as error:
                problems.append(repr(error))
                time.sleep(0.1)
        counts.append(made)

    threads = [threading.Thread(target=come_and_go, args=[n], daemon=True) for n in range(CHURNING)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 60)
    return sum(counts), problems


def come_and_go(server, tokens, client):
    warm, _ = churn(server, tokens, CHURN_SECONDS / 3)
    before = memory_mb(server)
    stop, times = threading.Event(), []

    def read():
        while not stop.is_set():
            begun = time.monotonic()
            client.get("/api/v1/timelines/home")
            times.append((time.monotonic() - begun) * 1000)
            time.sleep(0.02)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    came, problems = churn(server, tokens, CHURN_SECONDS)
    stop.set()
    reader.join()
    left = lambda: server.metric("dunlin_websockets_open")
    if not within(30, lambda: left() == 0):
        problems.append(f"{left():.0f} sockets stay open in the server")
    grown = memory_mb(server) - before
    if grown > MOST_GROWTH_MB:
        problems.append(f"memory grew by {grown:.1f} MB")
    times.sort()
    p99 = times[len(times) * 99 // 100]
    if LONG and p99 > MOST_P99_MS:
        problems.append(f"home p99 {p99:.0f} ms")
    return problems, (f"{came} sockets came and went in {CHURN_SECONDS} s, home p99 {p99:.1f} ms meanwhile, memory "
                      f"{before:.0f} MB before and {before + grown:.0f} after")


def hostile_sockets(server):
    """([(what is checked, [problem...])...], figures)"""
    server.run("account", "create", "landlord", "--email", "landlord@example.org", "--confirmed", "--role", "owner")
    tokens = [server.account(f"socket{n}")[1] for n in range(4)]
    writer = Client(server.port, server.account("writer")[1])
    post = lambda text: writer.post("/api/v1/statuses", {"status": text})
    token = tokens[0]
    outcomes = [
        ("frames that are none end their socket with the right code", bad_frames(server, token)),
        ("a client may be slow with its bytes", byte_by_byte(server, token, post)),
        ("floods of pings take no memory", ping_flood(server, token)),
        ("floods of subscriptions are bounded", subscribe_flood(server, token)),
        ("a token that is taken back ends its socket at once", revoked_in_flight(server, post)),
    ]
    problems, figures = come_and_go(server, tokens, Client(server.port, token))
    outcomes.append(("sockets that come and go leave nothing behind", problems))
    return outcomes + [("its log has no error", server.errors())], figures
