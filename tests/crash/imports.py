# SPDX-License-Identifier: AGPL-3.0-or-later
"""Somebody brings thousands of posts along while the program is killed, first the command that began it, then the server."""
import json
import os
import subprocess
import time
import zipfile

from server import ENVIRONMENT, Client, within

ACTOR = "https://old.example/users/ann"
EVERYBODY = "https://www.w3.org/ns/activitystreams#Public"


def post(number):
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_500_000_000 + 60 * number))
    note = {"id": f"{ACTOR}/statuses/{number}", "type": "Note", "attributedTo": ACTOR, "published": at, "to": [EVERYBODY],
            "cc": [], "content": f"<p>number {number}</p>"}
    if number % 10 == 9:
        note["inReplyTo"] = f"{ACTOR}/statuses/{number - 1}"
    return {"id": note["id"] + "/activity", "type": "Create", "actor": ACTOR, "published": at, "to": [EVERYBODY], "cc": [],
            "object": note}


class Imports:
    def __init__(self, server, posts):
        self.server = server
        self.posts = posts
        self.id, token = server.account("ivy")
        self.token = token
        self.file = server.folder / "archive.zip"
        outbox = {"type": "OrderedCollection", "orderedItems": [post(number) for number in range(posts)]}
        with zipfile.ZipFile(self.file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("actor.json", json.dumps({"id": ACTOR, "followers": ACTOR + "/followers"}))
            archive.writestr("outbox.json", json.dumps(outbox))

    def count(self):
        client = Client(self.server.port, self.token)
        return client.get(f"/api/v1/accounts/{self.id}")["statuses_count"]

    def begin(self):
        """By the command, which is killed when some are here."""
        command = subprocess.Popen([os.environ["DUNLIN"], "account", "import", "ivy", str(self.file), *self.server.where],
                                   env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        within(60, lambda: self.count() > 20 or command.poll() is not None)
        command.kill()
        command.wait()

    def moves(self):
        """Whether more have come since."""
        before = self.count()
        return within(150, lambda: self.count() != before or before == self.posts)

    def finish(self):
        within(240, lambda: self.count() >= self.posts)

    def inspect(self):
        client = Client(self.server.port, self.token)
        found = client.all(f"/api/v1/accounts/{self.id}/statuses?limit=40")
        texts = [status["content"] for status in found]
        wanted = [f"<p>number {number}</p>" for number in reversed(range(self.posts))]
        loose = [status["content"] for status in found
                 if status["content"].endswith("9</p>") and not status["in_reply_to_id"]]
        home = client.get("/api/v1/timelines/home")
        return [("each post is here once, at its date", [] if texts == wanted else
                 [f"{len(texts)} posts, {len(set(texts))} different ones, of {self.posts}"]),
                ("they are counted", [] if self.count() == self.posts else [f"as {self.count()}"]),
                ("answers hang where they hung", loose),
                ("none is in a home", [status["content"] for status in home if status["content"] in set(wanted)])]
