# SPDX-License-Identifier: AGPL-3.0-or-later
"""What other servers bring, and what is sent to them, while the server is killed again and again: in the end all is as if
it had come once and in order, and everybody got everything."""
import random
import threading
import time

from load import LOST
from peers import PUBLIC, Peers, Sender
from server import Client, Refused

WRITERS, NOTES = 20, 140  # some 5,000 activities, a sixth of them twice
READERS, POSTS = 25, 200  # 5,000 deliveries
ROOTS = 60                # statuses of ours that are liked and boosted
SENDERS = 4


class Traffic:
    def __init__(self, server, seed):
        self.server, self.chance = server, random.Random(seed)
        self.peers = Peers()
        self.alice, self.token = server.account("alice")
        self.client = Client(server.port, self.token)
        self.uri = self.client.get(f"/api/v1/accounts/{self.alice}")["uri"]
        self.roots = [self.client.post("/api/v1/statuses", {"status": f"root {n}"}) for n in range(ROOTS)]
        self.writers = [self.peers.actor(1 + n % 4, f"writer{n}") for n in range(WRITERS)]
        self.readers = [self.peers.actor(10 + n, "reader") for n in range(READERS)]
        self.become_acquainted()
        self.texts, self.likes, self.boosts = {}, set(), set()  # how it is to end
        self.waiting = self.shuffled([self.story(writer) for writer in self.writers])
        self.brought = len(self.waiting)
        self.posted = {}  # number: id of the answered post
        self.problems = []
        self.lock, self.pausing = threading.Lock(), threading.Event()
        self.threads = []

    def become_acquainted(self):
        sender = Sender(self.server.port)

        def bring(actor, activity):
            until(lambda: sender.bring(actor, activity), f"a {activity['type']} is taken")

        for reader in self.readers:
            bring(reader, reader.activity("Follow", 1, self.uri))
        mine = lambda: self.client.get(f"/api/v1/accounts/{self.alice}")
        until(lambda: mine()["followers_count"] == READERS, "everybody follows")
        for writer in self.writers:
            found = self.client.get(f"/api/v2/search?resolve=true&type=accounts&q={writer.uri}")["accounts"]
            writer.id = found[0]["id"]
            self.client.post(f"/api/v1/accounts/{writer.id}/follow", {})
            bring(writer, writer.activity("Accept", 0, {"type": "Follow", "actor": self.uri, "object": writer.uri}))
        until(lambda: mine()["following_count"] == WRITERS, "everybody is followed")

    def story(self, writer):
        """What one writer says, in order; how it ends is noted."""
        said = []
        audience = {"to": [PUBLIC], "cc": [writer.uri + "/followers"]}

        def say(kind, obj, **more):
            said.append((writer, writer.activity(kind, len(said), obj, **more)))
            return said[-1][1]

        likes = boosts = 0
        now, later = (time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + s)) for s in (0, 5))
        for n in range(NOTES):
            uri, text = f"{writer.uri}/notes/{n}", f"<p>{writer.name} {n}</p>"
            say("Create", writer.note(n, text, published=now), **audience)
            self.texts[uri] = text
            fate = self.chance.random()
            if fate < 0.3:
                self.texts[uri] = text = f"<p>{writer.name} {n}, mended</p>"
                say("Update", writer.note(n, text, published=now, updated=later), **audience)
            elif fate < 0.6:
                say("Delete", uri, **audience)
                del self.texts[uri]
            elif fate < 0.8 and likes < ROOTS:
                like = say("Like", self.roots[likes]["uri"])
                if self.chance.random() < 0.5:
                    say("Undo", like)
                else:
                    self.likes.add((self.roots[likes]["id"], writer.id))
                likes += 1
            elif boosts < ROOTS:
                boost = say("Announce", self.roots[boosts]["uri"], **audience)
                if self.chance.random() < 0.5:
                    say("Undo", boost)
                else:
                    self.boosts.add((self.roots[boosts]["id"], writer.id))
                boosts += 1
        return said

    def shuffled(self, stories):
        """All stories at once, each a little out of order, some of it twice; the last comes first."""
        merged = []
        for story in stories:
            for at, entry in enumerate(story):
                place = at / len(story) + self.chance.uniform(0, 0.02)
                merged.append((place, entry))
                if self.chance.random() < 0.16:
                    merged.append((place + self.chance.uniform(0, 0.1), entry))
        return [entry for _, entry in sorted(merged, key=lambda pair: -pair[0])]

    def run(self):
        self.pausing.clear()
        self.threads = [threading.Thread(target=self.guarded, args=[work], daemon=True)
                        for work in [self.bring] * SENDERS + [self.post]]
        for thread in self.threads:
            thread.start()

    def pause(self):
        self.pausing.set()
        for thread in self.threads:
            thread.join(60)
            if thread.is_alive():
                self.problems.append("a thread does not end")

    def done(self):
        return not self.waiting and len(self.posted) == POSTS

    def guarded(self, work):
        try:
            work()
        except Exception as error:
            self.problems.append(repr(error))

    def bring(self):
        sender = Sender(self.server.port)
        while not self.pausing.is_set():
            with self.lock:
                if not self.waiting:
                    return
                entry = self.waiting.pop()
            if not sender.bring(*entry):
                with self.lock:
                    self.waiting.append(entry)
                time.sleep(0.02)

    def post(self):
        client = Client(self.server.port, self.token)
        while len(self.posted) < POSTS and not self.pausing.is_set():
            number = len(self.posted)
            try:
                made = client.post("/api/v1/statuses", {"status": f"to all {number}"}, Idempotency_Key=f"post-{number}")
            except Refused as refused:
                if refused.status < 500:
                    raise
                continue
            except LOST:
                return
            self.posted[number] = made["uri"] + "/activity"

    def finish(self):
        """All that is left is brought, and time is given to what is still under way."""
        while not self.done() and not self.problems:
            self.run()
            for thread in self.threads:
                thread.join()
        try:
            until(lambda: self.missing() == 0, "everything is delivered", 120)
            until(lambda: not self.differences(), "everything brought is done", 120)
        except TimeoutError:
            pass  # told by inspect()

    def missing(self):
        with self.peers.lock:
            return sum(activity not in self.peers.received[reader.host]
                       for reader in self.readers for activity in self.posted.values())

    def differences(self):
        client = Client(self.server.port, self.token)
        shown = {}
        for writer in self.writers:
            for status in client.all(f"/api/v1/accounts/{writer.id}/statuses?limit=40&exclude_reblogs=true"):
                shown.setdefault(status["uri"], []).append(status["content"])
        wrong = [f"{uri} reads {texts}" for uri, texts in shown.items() if texts != [self.texts.get(uri)]]
        wrong += [f"{uri} is not there" for uri in self.texts if uri not in shown]
        for way, expected in (("favourited_by", self.likes), ("reblogged_by", self.boosts)):
            found = [(root["id"], who["id"]) for root in self.roots
                     for who in client.all(f"/api/v1/statuses/{root['id']}/{way}?limit=80")]
            if sorted(found) != sorted(expected):
                wrong.append(f"{way}: {len(set(found) - expected)} too many, {len(expected - set(found))} are missing, "
                             f"{len(found) - len(set(found))} twice")
        return wrong

    def inspect(self):
        """[(what is checked, [problem...])...]"""
        client = Client(self.server.port, self.token)
        missing = self.missing()
        counts = {"favourites_count": self.likes, "reblogs_count": self.boosts}
        wrong_counts = []
        for root in self.roots:
            told = client.get(f"/api/v1/statuses/{root['id']}")
            wrong_counts += [f"{name} of a root is {told[name]}" for name, pairs in counts.items()
                             if told[name] != sum(status == root["id"] for status, _ in pairs)]
        strange = [f"{host} got {activity}" for host, got in self.peers.received.items() for activity in got
                   if "/activity" in activity and activity not in self.posted.values()]
        return [
            ("nobody was refused", self.problems),
            ("what came from others is as if it had come once and in order", self.differences()),
            ("counters fit what is there", wrong_counts),
            ("every post was delivered to every server", [f"{missing} deliveries are missing"] if missing else []),
            ("nothing was delivered that was not answered", strange),
        ]

    def summary(self):
        again = sum(times - 1 for reader in self.readers for times in self.peers.received[reader.host].values())
        return f"{self.brought} activities brought, {len(self.posted)} posts to {READERS} servers, {again} came twice"


def until(done, what, seconds=60):
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise TimeoutError(f"not after {seconds} s: {what}")
        time.sleep(0.05)
