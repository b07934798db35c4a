# SPDX-License-Identifier: AGPL-3.0-or-later
"""A server of another make, whose person follows people of the site and is followed, and writes, edits, removes and likes while the
nodes and what they need fail. Its deliveries go to the public address, so to one node; those it gets come from whichever node leases
them. What either side was told of holds at the other at the end."""
import collections
import itertools
import pathlib
import random
import sys
import threading
import time
import urllib.parse

from stage import psql, within

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "federation"))

import servers  # noqa: E402

# What nodes need to know somebody on this machine.
SETTINGS = ("--test-mode", "--allow-private-addresses", "127.0.0.0/8", "--allow-http-peers")


def missing():
    return servers.installed_peer()[1]


def waiting(post):
    """What is to be sent about a post, with the tries so far, and what is yet to be done for that."""
    sent = psql("SELECT a.id, d.attempts, d.run_at, d.error FROM activities a LEFT JOIN deliveries d ON d.activity_id = a.id "
                f"WHERE a.object = 'status {post}' ORDER BY a.id")
    return sent.splitlines() + psql(f"SELECT kind, attempts, run_at, error FROM jobs WHERE payload LIKE '%{post}%'").splitlines()


def anything_waits():
    return psql("SELECT 1 FROM deliveries LIMIT 1") != ""


class Elsewhere:
    def __init__(self, folder, seed, away):
        """Its deliveries are tried for longer than the site is `away`, seconds at a time."""
        tries = next(n for n in itertools.count(2) if 0.5 * (2 ** (n - 1) - 1) > away)
        self.peer = servers.Peer(folder / "peer", servers.installed_peer()[0], PEER_RETRY_FIRST_MS="500", PEER_RETRY_ATTEMPTS=str(tries))
        self.pia = servers.PeerUser(self.peer, "admin")
        self.chance, self.ending, self.problems = random.Random(seed), False, []
        self.posts = {}  # uri: what it says, or None once it was removed
        self.likes = {}  # id of a post of the site: the activity, None once it was undone, or "unknown"
        self.thread = threading.Thread(target=self.run, daemon=True)

    def stop(self):
        self.ending = True
        self.peer.kill()

    def meet(self, load, people):
        """Both follow each other, before anything fails."""
        host = urllib.parse.urlsplit(load.site.nodes[0].where[3]).netloc
        self.authors = people
        for name, _, _ in people:
            self.pia.do("follow", target=f"@{name}@{host}")
        query = urllib.parse.urlencode({"q": self.pia.handle, "resolve": "true", "type": "accounts"})
        # A search waits for another server for a few seconds, which a busy machine may need for itself.
        found = within(60, lambda: load.star.ask("GET", f"/api/v2/search?{query}")[1]["accounts"])
        if not found:
            raise RuntimeError(f"{self.pia.handle} is not found")
        self.account = found[0]["id"]
        load.star.ask("POST", f"/api/v1/accounts/{self.account}/follow")
        following = lambda: collections.Counter(self.pia.state()["following"].values())["accepted"] == len(people)
        if not within(60, lambda: following() and len(self.pia.state()["followers"]) == 1):
            raise RuntimeError(f"they do not come to follow each other: {self.pia.state()}")
        self.star = f"@star@{host}"
        self.famous = {load.star.ask("GET", f"/api/v1/statuses/{one}")[1]["uri"]: one for one in load.famous}
        # Posts bear the time at which they were written.
        self.since = int(load.star.ask("POST", "/api/v1/statuses", {"status": "from now on"})[1]["id"])
        self.thread.start()

    def run(self):
        number = 0
        while not self.ending:
            number += 1
            try:
                self.do(number)
            except (servers.Wrong, OSError) as error:
                # Likes are told to a site that may be away.
                if not self.ending and "asked to like" not in str(error) and "asked to undo" not in str(error):
                    self.problems.append(f"{error}"[:300])
            time.sleep(self.chance.uniform(0.1, 0.3))

    def do(self, number):
        die = self.chance.random()
        there = [uri for uri, text in self.posts.items() if text]
        if die < 0.5 or len(there) < 3:
            text = f"pia says {number}"
            self.posts[self.pia.post(text, queued=True)["id"]] = text
        elif die < 0.65:
            uri = self.chance.choice(there)
            text = f"pia says {number} anew"
            self.peer.do("edit", id=uri, content=text, queued=True)
            self.posts[uri] = text
        elif die < 0.75:
            uri = self.chance.choice(there)
            self.posts[uri] = None
            self.peer.do("delete", id=uri, queued=True)
        else:
            self.like(self.chance.choice(list(self.famous)))

    def like(self, uri):
        """Told at once and not again: what the site took holds, and what it did not is not known to either."""
        status, done = self.famous[uri], self.likes.get(self.famous[uri])
        self.likes[status] = "unknown"
        if done and done != "unknown":
            self.pia.do("undo", id=done, deliverTo=[self.star])
            self.likes[status] = None
        else:
            self.likes[status] = self.pia.do("like", target=uri)["id"]

    # ---- at the end ----

    def end(self):
        self.ending = True
        self.thread.join(60)
        return self.problems

    def arrived_here(self):
        """What it wrote, is here: once, as it is now."""
        problems = []
        found = collections.defaultdict(list)
        rows = psql("SELECT uri, content, deleted_at IS NULL FROM statuses WHERE NOT local AND reblog_of_id IS NULL")
        for line in rows.splitlines():
            uri, content, there = line.split("|")
            if there == "t":
                found[uri].append(content)
        for uri, text in self.posts.items():
            have = found.pop(uri, [])
            if len(have) != (text is not None) or (text and text not in have[0]):
                problems.append(f"{uri} says {text!r} there and is {have} here")
        problems += [f"{uri} is here and was never written" for uri in found]
        liked = set(psql(f"SELECT status_id FROM favourites WHERE account_id = {self.account}").splitlines())
        problems += [f"of {status} it knows {like} there, and here it likes {sorted(liked)}" for status, like in self.likes.items()
                     if like != "unknown" and bool(like) != (status in liked)]
        return problems

    def arrived_there(self, load):
        """What people here wrote since it follows them, is there: in the end as it is now."""
        told, created = {}, collections.Counter()
        for kind in ("Create", "Update", "Delete"):
            for one in self.peer.received(type=kind):
                thing = one["json"]["object"]
                uri = thing if isinstance(thing, str) else thing["id"]
                created[uri] += kind == "Create"
                told.setdefault(uri, []).append((one["n"], kind, "" if isinstance(thing, str) else thing.get("content", "")))
        problems = []
        for account in (one[1] for one in self.authors):
            rows = psql(f"SELECT id, text, deleted_at IS NULL FROM statuses WHERE account_id = {account} AND id > {self.since}")
            for line in rows.splitlines():
                post, text, there = line.split("|")
                uri = next((uri for uri in told if uri.endswith(f"/statuses/{post}")), None)
                last = max(told[uri]) if uri else (0, "nothing", "")
                if there == "t" and text not in last[2]:
                    problems.append(f"{post} says {text!r} here and there {last}; still to be told: {waiting(post)}")
                # What was removed before anybody was told of it need not be told of.
                if there == "f" and uri and last[1] != "Delete":
                    problems.append(f"{post} was removed here and there {last}")
        self.repeated = sum(count - 1 for count in created.values() if count > 1)
        return problems

