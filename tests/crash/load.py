# SPDX-License-Identifier: AGPL-3.0-or-later
"""Clients that write without pause and keep a record of what was answered.

The star wrote one post; the authors post, answer the star, favourite each other's posts and follow each other.
The fan follows all of them and only reads.
"""
import collections
import http.client
import random
import threading
import time

from server import Client, Refused

CLIENTS = 8
LOST = (OSError, http.client.HTTPException)


class Person:
    def __init__(self, server, name):
        self.name = name
        self.id, self.token = server.account(name)
        self.port = server.port
        self.client = None

    def connect(self):
        self.client = Client(self.port, self.token)
        return self.client


class Write:
    """One thing a client wanted. `answer` is what came back, None when the connection was lost first."""

    def __init__(self, kind, author, number, target=None, text=None):
        self.kind, self.author, self.number, self.target, self.text = kind, author, number, target, text
        self.answer = self.at = None  # and when it came
        self.attempts = 0

    def send(self, root):
        client, key = self.author.client, f"{self.author.name}-{self.number}"
        self.attempts += 1
        if self.kind == "follow":
            self.answer = client.post(f"/api/v1/accounts/{self.target}/follow", {})
        elif self.kind == "favourite":
            self.answer = client.post(f"/api/v1/statuses/{self.target}/favourite", {})
        else:
            body = {"status": self.text} | ({"in_reply_to_id": root} if self.kind == "reply" else {})
            self.answer = client.post("/api/v1/statuses", body, Idempotency_Key=key)
        self.at = time.time()


class Load:
    def __init__(self, server, seed):
        self.server = server
        self.authors = [Person(server, f"author{n}") for n in range(CLIENTS)]
        self.star = Person(server, "star")
        self.fan = Person(server, "fan")
        for person in [*self.authors, self.star, self.fan]:
            person.connect()
        self.root = self.star.client.post("/api/v1/statuses", {"status": "the root"})["id"]
        for person in [*self.authors, self.star]:
            self.fan.client.post(f"/api/v1/accounts/{person.id}/follow", {})
        self.writes = []  # appended to by all threads
        self.problems = []
        self.chances = [random.Random(seed * 100 + n) for n in range(CLIENTS)]
        self.numbers = [0] * CLIENTS
        self.lost = [None] * CLIENTS  # the write whose answer did not come
        self.threads = []
        self.pausing = threading.Event()

    def run(self):
        self.pausing.clear()
        self.threads = [threading.Thread(target=self.work, args=[n], daemon=True) for n in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def pause(self):
        """Once the server is dead: every client notices by itself."""
        self.pausing.set()
        for thread in self.threads:
            thread.join(30)
            if thread.is_alive():
                raise RuntimeError("a client still waits 30 s after the server died")

    def finish(self):
        """The last start: half of what is unanswered is asked for again."""
        for n, author in enumerate(self.authors):
            author.connect()
            if self.lost[n] and self.chances[n].random() < 0.5:
                try:
                    self.lost[n].send(self.root)
                except Refused as error:
                    self.problems.append(f"{self.lost[n].kind} by {author.name}, asked again: {error}")

    def work(self, n):
        author, chance = self.authors[n], self.chances[n]
        author.connect()
        lost, self.lost[n] = self.lost[n], None
        # Some clients ask again with the same key, as they should; some never come back to it.
        write = lost if lost and chance.random() < 0.6 else None
        while not self.pausing.is_set():
            if not write:
                write = self.choose(n)
                self.writes.append(write)
            try:
                write.send(self.root)
            except Refused as error:
                self.problems.append(f"{write.kind} by {author.name}: {error}")
            except LOST:
                self.lost[n] = write
                return
            write = None

    def choose(self, n):
        author, chance = self.authors[n], self.chances[n]
        self.numbers[n] += 1
        number, die = self.numbers[n], chance.random()
        if die < 0.02:
            others = [a.id for a in self.authors if a is not author]
            return Write("follow", author, number, target=chance.choice(others))
        if die < 0.2 and self.writes:
            earlier = self.writes[chance.randrange(len(self.writes))]
            if earlier.text and earlier.answer and earlier.author is not author:
                return Write("favourite", author, number, target=earlier.answer["id"])
        if die < 0.5:
            return Write("reply", author, number, text=f"@star {author.name} answers {number}")
        return Write("post", author, number, text=f"{author.name} writes {number} #crash")

    def summary(self):
        counts = collections.Counter(write.kind for write in self.writes)
        said = ", ".join(f"{count} × {kind}" for kind, count in sorted(counts.items()))
        unanswered = sum(write.answer is None for write in self.writes)
        again = sum(write.attempts > 1 for write in self.writes)
        return f"{said}; {again} asked again, {unanswered} never answered"
