# SPDX-License-Identifier: AGPL-3.0-or-later
"""Strangers in crowds: an honest one is taken as it comes, and one that signs nonsense makes us ask its victim no more often
than we say."""
import concurrent.futures
import http.client
import json
import time

from federation import until
from peers import Actor, Peers
from server import Client

STRANGERS, AT_ONCE = 60, 16
NONSENSE, MOST_IN_VAIN = 700, 300  # keys that a host is asked for in five minutes when none of them helps


def bring(server, actor, activity, key_id=None):
    """What the inbox answers."""
    body = json.dumps(activity).encode()
    headers = actor.headers("/inbox", f"localhost:{server.port}", body)
    if key_id:
        headers["Signature"] = headers["Signature"].replace(actor.uri + "#main-key", key_id)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("POST", "/inbox", body, headers)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


def crowd(many, work):
    """How often each answer came."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(work, range(many)))
    return {status: answers.count(status) for status in sorted(set(answers))}


def taken_as_they_come(server):
    """([(what is checked, [problem...])...], figures)"""
    peers = Peers()
    try:
        alice, token = server.account("popular")
        client = Client(server.port, token)
        uri = client.get(f"/api/v1/accounts/{alice}")["uri"]
        followers = lambda: client.get(f"/api/v1/accounts/{alice}")["followers_count"]
        strangers = [peers.actor(200, f"stranger{n}") for n in range(STRANGERS)]
        def as_far_away_as_servers_are(_):
            time.sleep(0.1)
            return True

        peers.manners[strangers[0].host] = as_far_away_as_servers_are
        begun = time.monotonic()
        answers = crowd(STRANGERS, lambda n: bring(server, strangers[n], strangers[n].activity("Follow", 1, uri)))
        answered = time.monotonic() - begun
        late = []
        try:
            until(lambda: followers() == STRANGERS, "all of them follow", 150)
        except TimeoutError:
            late = [f"{followers()} of {STRANGERS} follow"]
        done = time.monotonic() - begun

        asked = {}

        def tell_nothing(handler):
            asked[handler.path] = asked.get(handler.path, 0) + 1
            handler.answer(500)

        victim = Actor(f"127.0.1.201:{peers.port}", "victim", peers.key)
        peers.manners[victim.host] = tell_nothing
        nonsense = crowd(NONSENSE, lambda n: bring(
            server, victim, victim.activity("Follow", n, uri), f"{victim.uri}{n}#main-key"))
        time.sleep(5)
        total = sum(asked.values())
        return [
            (f"{STRANGERS} strangers of one server are taken, {AT_ONCE} at a time", [] if answers == {202: STRANGERS} else [str(answers)]),
            ("and what they say is done", late),
            (f"nonsense in a server's name has it asked {MOST_IN_VAIN} times and no more",
             [] if 0 < total <= MOST_IN_VAIN + AT_ONCE else [f"{total} times"]),
            ("and never twice for one key", [path for path, times in asked.items() if times > 1]),
            ("and has no effect", [] if followers() == STRANGERS else [f"{followers()} follow"]),
            ("its log has no error", server.errors()),
        ], f"{STRANGERS} answered in {answered:.1f} s and done after {done:.1f}; nonsense was answered {nonsense}, with {total} questions"
    finally:
        peers.close()
