# SPDX-License-Identifier: AGPL-3.0-or-later
"""Somebody is mentioned while the server is killed again and again: in the end each browser was told of every answered
mention, at least once, and could read it."""
import threading
import time

from load import LOST
from push_service import PushService
from server import Client, Refused

WRITERS, MENTIONS = 3, 200  # so many at least
FORMS = {"/standard": True, "/another": True, "/older": False}  # path: whether the standard's encryption


class Pushes:
    def __init__(self, server, service, pause=0.0, name="carol"):
        """`name`: of who is mentioned; on PostgreSQL all runs share one database."""
        self.server, self.service, self.between, self.name = server, service, pause, name
        self.carol, token = server.account(name)
        self.tokens = [server.account(f"{name}_caller{n}")[1] for n in range(WRITERS)]
        service.server_key = Client(server.port, token).get("/api/v2/instance")["configuration"]["vapid"]["public_key"]
        for path, standard in FORMS.items():
            phone = Client(server.port, server.run("token", "create", name, "--scopes", "read push"))
            form = service.browser(path, standard).subscription(service.origin + path, ["mention"])
            told = phone.post("/api/v1/push/subscription", form)
            assert told["server_key"] == service.server_key, told
        service.moody = 0.05
        self.answered, self.problems = set(), []
        self.last, self.lock, self.pausing = 0, threading.Lock(), threading.Event()
        self.threads = []

    def run(self):
        self.pausing.clear()
        self.threads = [threading.Thread(target=self.write, args=[token], daemon=True) for token in self.tokens]
        for thread in self.threads:
            thread.start()

    def pause(self):
        self.pausing.set()
        for thread in self.threads:
            thread.join(60)
            if thread.is_alive():
                self.problems.append("a writer does not end")

    def write(self, token):
        client = None
        while not self.pausing.is_set():
            with self.lock:
                self.last += 1
                number = self.last
            try:
                client = client or Client(self.server.port, token)
                client.post("/api/v1/statuses", {"status": f"@{self.name} number {number}"})
                self.answered.add(number)
                time.sleep(self.between)
            except LOST:
                client = None
                time.sleep(0.02)
            except Refused as error:
                if error.status < 500:
                    self.problems.append(str(error))

    def told(self, path):
        return [int(payload["body"].rsplit(" ", 1)[1]) for payload in list(self.service.taken[path])]

    def missing(self, path):
        return self.answered - set(self.told(path))

    def finish(self):
        self.run()
        begun = time.monotonic()
        while len(self.answered) < MENTIONS and time.monotonic() < begun + 60:
            time.sleep(0.1)
        self.pause()
        end = time.monotonic() + 240  # a lease of 120 s is waited for on PostgreSQL
        while any(self.missing(path) for path in FORMS) and time.monotonic() < end:
            time.sleep(0.2)

    def inspect(self):
        missing = [f"{path}: {number}" for path in FORMS for number in sorted(self.missing(path))]
        wrong = [f"{path}: {payload}" for path in FORMS for payload in self.service.taken[path]
                 if payload["notification_type"] != "mention" or not payload["title"].startswith("You were mentioned by")]
        if len(self.answered) < MENTIONS:
            self.problems.append(f"only {len(self.answered)} mentions were answered")
        return [("what was asked was answered", self.problems),
                ("every browser is told of every mention", missing),
                ("and of what it is", wrong),
                ("push services are sent what the standards say", self.service.problems)]

    def summary(self):
        told = [len(self.told(path)) for path in FORMS]
        twice = sum(told) - sum(len(set(self.told(path))) for path in FORMS)
        return (f"{len(self.answered)} mentions answered, {sum(told)} messages taken, {twice} of them again, "
                f"{self.service.refused} refused at first")
