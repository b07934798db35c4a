# SPDX-License-Identifier: AGPL-3.0-or-later
"""Other servers that hang, drip a byte a second, answer without end, lead in circles or fail: nobody else may notice."""
import socket
import struct
import threading
import time

from federation import until
from peers import Peers, Sender
from server import Client

OF_EACH, GOOD, POSTS, READS = 4, 10, 40, 300
FLOOD = 100 << 20


def hang(_):
    time.sleep(3600)


def drip(handler):
    for byte in b"HTTP/1.1 200 OK\r\nContent-Type: application/activity+json\r\nX-Long: " + b"a" * 10_000:
        handler.wfile.write(bytes([byte]))
        time.sleep(1)


def flood(handler):
    handler.send_response(200)
    handler.send_header("Content-Type", "application/activity+json")
    handler.send_header("Content-Length", str(FLOOD))
    handler.end_headers()
    for _ in range(FLOOD >> 16):
        handler.wfile.write(b" " * (1 << 16))


def circle(handler):
    handler.send_response(307)
    handler.send_header("Location", f"http://{handler.headers['Host']}{handler.path}")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def fail(handler):
    handler.answer(503)


def reset(handler):
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def babble(handler):
    handler.wfile.write(b"\x16\x03\x01 this is no HTTP \r\n\r\n" * 100)


def tangle(handler):
    """A page of tags none of which ends before the last: read from each on, it takes a minute."""
    page = b"<linkttttt" * 52_000 + b">"
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.send_header("Content-Length", str(len(page)))
    handler.end_headers()
    handler.wfile.write(page)


MANNERS = [hang, drip, flood, circle, fail, reset, babble, tangle]


def read_home(client, times):
    begun = time.monotonic()
    client.get("/api/v1/timelines/home")
    times.append(time.monotonic() - begun)


def milliseconds(times):
    ordered = sorted(times)
    return f"{ordered[len(ordered) // 2] * 1000:.1f} ms (99 in 100 within {ordered[len(ordered) * 99 // 100] * 1000:.0f})"


def bad_company(server):
    """([(what is checked, [problem...])...], figures)"""
    peers = Peers()
    try:
        return among(server, peers)
    finally:
        peers.close()


def among(server, peers):
    alice, token = server.account("hostess")
    client, sender = Client(server.port, token), Sender(server.port)
    uri = client.get(f"/api/v1/accounts/{alice}")["uri"]
    good = [peers.actor(1 + n, "good") for n in range(GOOD)]
    bad = [(peers.actor(50 + n, "bad"), MANNERS[n % len(MANNERS)]) for n in range(OF_EACH * len(MANNERS))]
    for actor in good + [actor for actor, _ in bad]:
        until(lambda: sender.bring(actor, actor.activity("Follow", 1, uri)), "a Follow is taken")
    everybody = len(good) + len(bad)
    until(lambda: client.get(f"/api/v1/accounts/{alice}")["followers_count"] == everybody, "everybody follows")
    for actor, manner in bad:
        peers.manners[actor.host] = manner

    alone, meanwhile, problems = [], [], []
    for _ in range(READS):
        read_home(client, alone)
    posts = [client.post("/api/v1/statuses", {"status": f"post {n}"})["uri"] + "/activity" for n in range(POSTS)]
    begun = time.monotonic()
    answers = []

    def look_up(actor):
        own = Client(server.port, token)
        own.connection.timeout = 60
        try:
            found = own.get(f"/api/v2/search?resolve=true&q=http://{actor.host}/notes/1")
            answers.append(len(found["statuses"]))
        except Exception as error:
            problems.append(f"looking at a post of {actor.host}: {error!r}")

    # As many as wait for an answer from elsewhere at the same time, so that the good ones come after all of them.
    looking = [threading.Thread(target=look_up, args=[actor], daemon=True) for actor, _ in bad]
    for thread in looking:
        thread.start()
    missing = lambda: [actor.host for actor in good for post in posts if post not in peers.received[actor.host]]
    try:
        until(lambda: read_home(client, meanwhile) or not missing(), "the good ones have everything", 60)
    except TimeoutError as error:
        problems.append(str(error))
    delivered = time.monotonic() - begun
    while len(meanwhile) < READS:
        read_home(client, meanwhile)
    for thread in looking:
        thread.join(60)
    looked = time.monotonic() - begun
    unanswered = [f"{len(bad) - len(answers) - len(problems)} searches"] if any(t.is_alive() for t in looking) else []
    figures = (f"{POSTS} posts at {GOOD} good servers {delivered:.1f} s after the last was written, home in "
               f"{milliseconds(meanwhile)} instead of {milliseconds(alone)}, {len(bad)} searches answered after {looked:.0f} s")
    return [
        ("whoever behaves gets everything while others do not", problems + [f"{host} lacks some" for host in set(missing())]),
        ("whoever looks at what hangs is answered in the end", unanswered),
        ("nothing was found where nothing is", [f"{sum(answers)} posts"] if sum(answers) else []),
        ("its log has no error", server.errors()),
    ], figures
