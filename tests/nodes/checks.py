# SPDX-License-Identifier: AGPL-3.0-or-later
"""What people at different nodes of a site see of each other. Each check answers [problem...]."""
import http.client
import threading
import time

from server import Client, Refused
from stage import Ear, revocable, within


class People:
    def __init__(self, site):
        self.site = site
        first, last = site.nodes[0], site.nodes[-1]
        self.alice_id, self.alice_token = first.account("alice")
        self.bob_id, self.bob_token = first.account("bob")
        self.alice, self.bob = Client(first.port, self.alice_token), Client(last.port, self.bob_token)
        self.bob.post(f"/api/v1/accounts/{self.alice_id}/follow")
        self.alice.post(f"/api/v1/accounts/{self.bob_id}/follow")
        self.list = self.bob.post("/api/v1/lists", {"title": "those"})["id"]
        self.bob.post(f"/api/v1/lists/{self.list}/accounts", {"account_ids": [self.alice_id]})

    def ear(self, node):
        return Ear(node, self.bob_token, ("user", {}), ("public", {}), ("hashtag", {"tag": "water"}),
                   ("list", {"list": self.list}), ("direct", {}), ("user:notification", {}))


def hears_everything(people):
    """Whoever listens to any node hears what is done at another one."""
    problems = []
    ears = [(number, people.ear(node)) for number, node in enumerate(people.site.nodes)]
    begun = time.monotonic()
    post = people.alice.post("/api/v1/statuses", {"status": "on #water @bob"})
    people.alice.post("/api/v1/statuses", {"status": "between us @bob", "visibility": "direct"})
    wanted = [("user", "update", post["id"]), ("public", "update", post["id"]), ("hashtag", "update", post["id"]),
              ("list", "update", post["id"]), ("user", "notification", post["id"]),
              ("user:notification", "notification", post["id"]), ("direct", "conversation", "between us")]
    for number, ear in ears:
        problems += [f"node {number}: no {event} {word} in {stream}" for stream, event, word in wanted
                     if not ear.has(stream, event, word)]
    slowest = time.monotonic() - begun
    people.alice.ask("PUT", f"/api/v1/statuses/{post['id']}", {"status": "on #water, edited @bob"})
    problems += [f"node {number}: no edit" for number, ear in ears if not ear.has("user", "status.update", "edited")]
    people.alice.ask("DELETE", f"/api/v1/statuses/{post['id']}")
    problems += [f"node {number}: no end" for number, ear in ears if not ear.has("user", "delete", post["id"])]
    print(f"  heard by {len(ears)} nodes after {slowest * 1000:.0f} ms at most", flush=True)
    return problems


def end_of_a_token_closes_sockets(people):
    # Each node looks by itself every five seconds, too: of three tokens one after the other it would find one in time at most.
    first, last = people.site.nodes[0], people.site.nodes[-1]
    listening = last.metric("dunlin_stream_subscriptions")
    took = []
    for _ in range(3):
        token = first.run("token", "create", "bob", "--scopes", "read")
        ear = Ear(last, token, ("user", {}))
        form = revocable(first, token)
        begun = time.monotonic()
        Client(first.port, token).post("/oauth/revoke", form)
        if not within(30, lambda: ear.closed_at):
            return ["the socket stays open"]
        took.append(ear.closed_at - begun)
        within(30, lambda: last.metric("dunlin_stream_subscriptions") <= listening)
    print(f"  closed after {', '.join(f'{seconds * 1000:.0f}' for seconds in took)} ms", flush=True)
    problems = [f"the sockets were closed after {took} s"] if sorted(took)[1] > 1 else []
    try:
        Client(last.port, token).get("/api/v1/timelines/home")
        problems.append("another node still takes the token")
    except Refused as refused:
        if refused.status != 401:
            problems.append(str(refused))
    return problems


def nothing_is_stale(people):
    """What is changed at one node is so at another one at once."""
    problems = []
    there = Client(people.site.nodes[-1].port, people.alice_token)
    post = people.alice.post("/api/v1/statuses", {"status": "about turnips"})["id"]
    bob_here = Client(people.site.nodes[0].port, people.bob_token)
    for turn in range(5):
        people.bob.get(f"/api/v1/statuses/{post}")  # into all caches there
        people.bob.get("/api/v1/timelines/home")
        there.get("/api/v1/accounts/verify_credentials")
        people.alice.ask("PATCH", "/api/v1/accounts/update_credentials", {"display_name": f"Alice {turn}"})
        if there.get("/api/v1/accounts/verify_credentials")["display_name"] != f"Alice {turn}":
            problems.append("a name is stale for its owner")
        if people.bob.get(f"/api/v1/statuses/{post}")["account"]["display_name"] != f"Alice {turn}":
            problems.append("a name is stale in a post")
        made = bob_here.post("/api/v2/filters", {"title": f"f{turn}", "context": ["home"], "filter_action": "warn",
                                                 "keywords_attributes": [{"keyword": "turnips"}]})
        if not people.bob.get(f"/api/v1/statuses/{post}")["filtered"]:
            problems.append("a new filter does not hold")
        bob_here.ask("DELETE", f"/api/v2/filters/{made['id']}")
        if people.bob.get(f"/api/v1/statuses/{post}")["filtered"]:
            problems.append("a filter that is gone holds")
        bob_here.post(f"/api/v1/accounts/{people.alice_id}/mute")
        if any(one["id"] == post for one in people.bob.get("/api/v1/timelines/home")):
            problems.append("a mute does not hold")
        bob_here.post(f"/api/v1/accounts/{people.alice_id}/unmute")
        if not any(one["id"] == post for one in people.bob.get("/api/v1/timelines/home")):
            problems.append("a mute that is gone holds")
        people.alice.post(f"/api/v1/statuses/{post}/{'favourite' if turn % 2 == 0 else 'unfavourite'}")
        if people.bob.get(f"/api/v1/statuses/{post}")["favourites_count"] != (turn + 1) % 2:
            problems.append("a count is stale")
    return problems


def change_of_filters_is_told(people):
    ear = people.ear(people.site.nodes[-1])
    here = Client(people.site.nodes[0].port, people.bob_token)
    here.post("/api/v2/filters", {"title": "f", "context": ["home"], "keywords_attributes": [{"keyword": "xyzzy"}]})
    return [] if ear.has("user", "filters_changed") else ["another node does not tell it"]


def goes_on_without_the_way(people, way):
    """What they speak by is away: all works but that others hear of it at once; it comes back by itself."""
    problems = []
    nodes = people.site.nodes
    ear = people.ear(nodes[-1])
    way.stop()
    begun, slowest = time.monotonic(), 0
    while time.monotonic() - begun < 3:
        asked = time.monotonic()
        post = people.alice.post("/api/v1/statuses", {"status": "while it is away"})["id"]
        slowest = max(slowest, time.monotonic() - asked)
        if people.bob.get(f"/api/v1/statuses/{post}")["id"] != post:
            problems.append("a post is not there")
        time.sleep(0.1)
    if slowest > 5:  # nobody waits for it; the machine may be busy
        problems.append(f"a post took {slowest:.1f} s")
    if ear.closed_at:
        problems.append("a stream was ended")
    way.start()
    people.site.meet()
    post = people.alice.post("/api/v1/statuses", {"status": "here again"})["id"]
    if not ear.has("user", "update", post):
        problems.append("what is said then is not heard by who listened all the time")
    for number, node in enumerate(nodes):
        lines = sum("other nodes are not heard" in line for line in node.log.read_text(errors="replace").splitlines())
        if lines != 1:
            problems.append(f"node {number} wrote it down {lines} times")
    return problems


class Writer:
    """Posts to one node for as long as it answers, and remembers what was answered."""

    def __init__(self, node, token):
        self.node, self.token, self.answered, self.ending = node, token, [], False
        self.thread = threading.Thread(target=self.write, daemon=True)
        self.thread.start()

    def write(self):
        client, number = None, 0
        while not self.ending:
            number += 1
            try:
                client = client or Client(self.node.port, self.token)
                self.answered.append(client.post("/api/v1/statuses", {"status": f"written {number}"})["id"])
            except (OSError, http.client.HTTPException, Refused):
                client = None
                time.sleep(0.05)

    def end(self):
        self.ending = True
        self.thread.join(30)
        return self.answered


def survives_its_nodes(people, way):
    """Nodes are killed and what they speak by is stopped, by turns: no answered write is lost, and streams of others go on."""
    nodes = people.site.nodes
    ear = people.ear(nodes[0])
    writers = [Writer(node, people.alice_token) for node in nodes]
    for turn in range(4):
        time.sleep(0.7)
        nodes[-1].kill()
        if turn % 2 == 1:
            way.stop()
        time.sleep(0.3)
        nodes[-1].start()
        if turn % 2 == 1:
            way.start()
    people.site.meet()
    answered = [one for writer in writers for one in writer.end()]
    last = Client(nodes[-1].port, people.alice_token).post("/api/v1/statuses", {"status": "the last word"})["id"]
    problems = [] if ear.has("user", "update", last) else ["the other node does not hear what is said at the end"]
    stored = {one["id"] for one in people.alice.all(f"/api/v1/accounts/{people.alice_id}/statuses?limit=40")}
    lost = [one for one in answered if one not in stored]
    print(f"  {len(answered)} posts were answered", flush=True)
    problems += [] if answered else ["nothing was answered"]
    return problems + ([f"{len(lost)} of {len(answered)} answered posts are lost"] if lost else [])


def limits_count_for_the_site(site):
    """A stranger who asks all nodes by turns gets no more than from one."""
    limit, window = 300, 300  # requests, seconds: windows begin at the full five minutes
    for stranger in ("127.0.0.2", "127.0.0.3"):  # nobody else asks from there
        began, allowed = time.time() // window, 0
        for turn in range(2 * limit):
            connection = http.client.HTTPConnection("127.0.0.1", site.nodes[turn % len(site.nodes)].port, timeout=20,
                                                    source_address=(stranger, 0))
            connection.request("GET", "/api/v1/trends/tags")
            status = connection.getresponse().status
            connection.close()
            if status == 429:
                break
            allowed += 1
            time.sleep(0.005)
        print(f"  {allowed} of {limit} were allowed", flush=True)
        if time.time() // window == began:
            return [] if limit * 0.9 <= allowed <= limit * 1.5 else [f"{allowed} requests were allowed"]
    return ["a window ended in both attempts"]
