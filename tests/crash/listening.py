# SPDX-License-Identifier: AGPL-3.0-or-later
"""People listen while the server is killed again and again: each comes back after a while of its own, hears what is said once
all are there, and nobody ever hears what is not for them."""
import asyncio
import json
import random
import re
import threading
import time

from load import LOST
from server import Client, Refused, within
from websocket import PING, PONG, TEXT, Frames, asking, frame

SOCKETS_OF_EACH = 50
SAID = re.compile(rb"word (\d+) for ([a-z0-9]+)")
# Who hears of what, by the stream `user` or by `public`: the followers, strangers at the public stream, and nobody whom
# the author blocks. What is direct names one person.
KINDS = ["follower", "stranger", "blocked"]


class Listener:
    """A client as clients are: it comes again, later each time, and never at the same moment as the others."""

    def __init__(self, port, name, kind, token, chance):
        self.port, self.name, self.kind, self.token, self.chance = port, name, kind, token, chance
        self.heard, self.times_open, self.open = set(), 0, False

    async def live(self, stopping):
        failures = 0
        while not stopping.is_set():
            try:
                await self.listen(stopping)
                failures = 0
            except (OSError, asyncio.IncompleteReadError, ConnectionRefusedError):
                failures += 1
            self.open = False
            await asyncio.sleep(self.chance.uniform(0.5, 1) * min(2.0, 0.1 * 2 ** failures))

    async def listen(self, stopping):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(asking("/api/v1/streaming?stream=user", self.token))
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 101"):
                raise ConnectionRefusedError(head[:100])
            writer.write(frame(json.dumps({"type": "subscribe", "stream": "public"})))
            self.open = True
            self.times_open += 1
            frames = Frames()
            while (data := await reader.read(65536)) and not stopping.is_set():
                for kind, content in frames.take(data):
                    if kind == PING:
                        writer.write(PONG)
                    elif kind == TEXT and (said := SAID.search(content)):
                        self.heard.add((int(said[1]), said[2].decode()))
        finally:
            writer.close()


class Listening:
    """`size` sockets of a few people, and somebody who talks to them at an even pace."""

    def __init__(self, server, size, seed):
        self.server, self.problems = server, []
        self.author, self.token = server.account("speaker")
        author = Client(server.port, self.token)
        chance, self.listeners = random.Random(seed), []
        for n in range(-(-size // SOCKETS_OF_EACH)):
            name, kind = f"ear{n}", KINDS[n % len(KINDS)]
            account, token = server.account(name)
            if kind == "follower":
                Client(server.port, token).post(f"/api/v1/accounts/{self.author}/follow")
            if kind == "blocked":
                author.post(f"/api/v1/accounts/{account}/block")
            self.listeners += [Listener(server.port, name, kind, token, chance) for _ in range(SOCKETS_OF_EACH)]
        self.names = sorted({one.name for one in self.listeners if one.kind != "blocked"})
        self.last, self.stopping, self.pausing, self.asked = 0, threading.Event(), threading.Event(), []
        self.speaker, self.back_after = None, 0.0
        self.thread = threading.Thread(target=asyncio.run, args=[self.listen()], daemon=True)
        self.thread.start()

    async def listen(self):
        await asyncio.gather(*(one.live(self.stopping) for one in self.listeners))

    def say(self, client, for_whom):
        self.last += 1
        number, text = self.last, f"word {self.last} for {for_whom}"
        visibility = {"all": "public", "followers": "private"}.get(for_whom, "direct")
        if visibility == "direct":
            text += f" @{for_whom}"
        client.post("/api/v1/statuses", {"status": text, "visibility": visibility})
        return number, for_whom

    def run(self):
        self.pausing.clear()
        self.speaker = threading.Thread(target=self.speak, daemon=True)
        self.speaker.start()

    def speak(self):
        client, turns = None, ["all", "followers", "one"]
        while not self.pausing.is_set():
            for_whom = turns[self.last % 3]
            try:
                client = client or Client(self.server.port, self.token)
                self.say(client, self.names[self.last % len(self.names)] if for_whom == "one" else for_whom)
            except LOST:
                client = None
            except Refused as error:
                if error.status < 500:
                    self.problems.append(str(error))
            time.sleep(0.1)

    def pause(self):
        self.pausing.set()
        self.speaker.join(60)

    def may_hear(self, one, for_whom):
        if one.kind == "blocked":
            return False
        return for_whom == "all" or for_whom == one.name or (for_whom == "followers" and one.kind == "follower")

    def finish(self):
        """Everybody is there again, and then something is said to each."""
        begun = time.monotonic()
        within(120, lambda: all(one.open for one in self.listeners))
        self.back_after = time.monotonic() - begun
        absent = sum(not one.open for one in self.listeners)
        if absent:
            self.problems.append(f"{absent} listeners did not come back within {self.back_after:.0f} s")
        # A subscription is not answered: each listens to both streams by then.
        within(60, lambda: self.server.metric("dunlin_stream_subscriptions") >= 2 * len(self.listeners))
        client = Client(self.server.port, self.token)
        # A stranger who mentions somebody in private is not heard of at once.
        followers = sorted({one.name for one in self.listeners if one.kind == "follower"})
        self.asked = [self.say(client, whom) for whom in ["all", "followers", *followers[:3]]]
        within(60, lambda: not self.missing())
        self.stopping.set()

    def missing(self):
        return [f"{one.name} ({one.kind}) did not hear {said}" for one in self.listeners for said in self.asked
                if self.may_hear(one, said[1]) and said not in one.heard]

    def inspect(self):
        wrong = [f"{one.name} ({one.kind}) heard {said}" for one in self.listeners for said in one.heard
                 if not self.may_hear(one, said[1])]
        return [("listeners come back", self.problems),
                ("and hear what is said then", self.missing()),
                ("and never what is not for them", wrong)]

    def summary(self):
        opened, heard = sum(one.times_open for one in self.listeners), sum(len(one.heard) for one in self.listeners)
        return (f"{len(self.listeners)} listeners came {opened} times, the last {self.back_after:.1f} s after the last start, and heard "
                f"{heard} of {self.last} posts in all")
