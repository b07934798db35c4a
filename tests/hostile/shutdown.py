# SPDX-License-Identifier: AGPL-3.0-or-later
"""The server is told to stop while sixty other servers hang: it ends within its time, without an error, and a second
signal ends it at once."""
import signal
import subprocess
import threading
import time
import urllib.parse

from company import drip, hang
from federation import until
from peers import Peers, Sender
from server import Client, within

HOSTS, LOOKING = 60, 24
WITHIN = 12  # seconds; after ten it would cut off what hangs, and end with 1


def stopping(server):
    """How often it has said that it stops."""
    return sum(line.endswith("stopping") for line in server.log.read_text(errors="replace").splitlines())


def stop(server, *signals):
    """Seconds from the last signal until it ended, and with what."""
    said = stopping(server)
    for number, one in enumerate(signals):
        within(30, lambda: stopping(server) >= said + number)  # two that wait together are one
        begun = time.monotonic()
        server.process.send_signal(one)
    try:
        status = server.process.wait(120)
    except subprocess.TimeoutExpired:
        server.kill()
        status = "never"
    return time.monotonic() - begun, status


def occupy(server, peers):
    """Has the server wait for others everywhere it can: deliveries, keys of strangers, jobs, searches."""
    alice, token = server.account("patient")
    client, sender = Client(server.port, token), Sender(server.port)
    uri = client.get(f"/api/v1/accounts/{alice}")["uri"]
    hanging = [peers.actor(1 + n, "slow") for n in range(HOSTS)]
    strangers = [peers.actor(1 + n, "stranger") for n in range(HOSTS)]
    for actor in hanging:
        until(lambda: sender.bring(actor, actor.activity("Follow", 1, uri)), "a Follow is taken")
    until(lambda: client.get(f"/api/v1/accounts/{alice}")["followers_count"] == HOSTS, "everybody follows", 60)
    for n, actor in enumerate(hanging):
        peers.manners[actor.host] = drip if n % 2 else hang
    for n in range(3):
        client.post("/api/v1/statuses", {"status": f"post {n}"})

    def try_to(work):
        try:
            work()
        except Exception:
            pass  # the server stops meanwhile

    def search(actor):
        question = urllib.parse.quote(f"http://{actor.host}/notes/1")
        Client(server.port, token).get(f"/api/v2/search?resolve=true&q={question}")

    def bring(actor):
        Sender(server.port).bring(actor, actor.activity("Follow", 2, uri))

    # Of those who are known here, what cannot be understood without asking their server.
    for actor in hanging:
        until(lambda: sender.bring(actor, actor.activity("Announce", 3, actor.uri + "/notes/7")), "an Announce is taken")
    threads = [threading.Thread(target=try_to, args=[lambda a=actor: search(a)], daemon=True) for actor in hanging[:LOOKING]]
    threads += [threading.Thread(target=try_to, args=[lambda a=actor: bring(a)], daemon=True) for actor in strangers]
    for thread in threads:
        thread.start()
    time.sleep(2)


def ends_in_time(server):
    """([(what is checked, [problem...])...], figures)"""
    peers = Peers()
    try:
        occupy(server, peers)
        took, status = stop(server, signal.SIGTERM)
        orderly = [] if status == 0 else [f"it ended with {status}:\n{server.tail()}"]
        late = [f"it took {took:.1f} s"] if took >= WITHIN else []
        server.start()
        twice, how = stop(server, signal.SIGTERM, signal.SIGTERM)
        return [
            (f"whoever stops it waits less than {WITHIN} s while {HOSTS} servers hang", late),
            ("and it ends in good order", orderly + server.errors()),
            ("a second signal ends it at once", [f"it took {twice:.1f} s"] if twice > 2 and how != -signal.SIGTERM else []),
        ], f"{took:.1f} s"
    finally:
        peers.close()
