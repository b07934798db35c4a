# SPDX-License-Identifier: AGPL-3.0-or-later
"""People write, read, listen and upload at all nodes of a site while by turns a node is killed, PostgreSQL falls silent or starts
again, its replica ends, lags or falls silent, what the nodes speak by is stopped, and the bucket refuses. What was answered is
there at the end, once, here and at a server of another make (elsewhere.py); what people were answered can have happened
(histories.py); what is counted is what is there; and nothing fails that the fault does not excuse."""
import collections
import contextlib
import datetime
import html
import http.client
import itertools
import json
import os
import random
import re
import threading
import time

import bucket
import elsewhere
from cluster import Cluster, manage
from histories import Operation, Pair, Switch, Vote, explains, told
from stage import Broker, Ear, Node, psql, within

LOST = (OSError, http.client.HTTPException)
AFTER = 2  # seconds in which what was under way may fail yet
AT_WORK = 90  # nothing that was asked for is still at work after so many seconds
PATIENCE = 210  # seconds for what was left over: leases of who was killed end after 120, those of what had come in, too
# What of which request may fail meanwhile.
EXCUSED = {"postgres": lambda path: True, "bucket": lambda path: path.startswith(("/api/v2/media", "/media/"))}


class Site:
    def __init__(self, folder, count, *settings):
        self.ended = contextlib.ExitStack()
        self.nodes, self.down = [], set()
        try:
            self.cluster = Cluster()
            self.ended.callback(self.cluster.end)
            self.broker = Broker(folder, False)
            self.ended.callback(self.broker.stop)
            self.bucket = bucket.Bucket(folder)
            self.ended.callback(self.bucket.stop)
            for number in range(count):
                place = folder / f"node{number}"
                place.mkdir()
                public = self.nodes[0].where[3] if self.nodes else "http://localhost:{port}"
                self.nodes.append(Node(place, self.cluster.way.url, *self.cluster.settings, *self.broker.settings,
                                       *self.bucket.flags(media_store="s3"), *settings, public=public))
                self.ended.callback(self.nodes[-1].kill)
            if not within(60, lambda: all(node.hears(count - 1) and node.metric("dunlin_replica_serves") for node in self.nodes)):
                raise RuntimeError("the nodes do not hear each other, or the replica does not serve:\n" + self.nodes[0].tail())
        except BaseException:
            self.end()
            raise

    def end(self):
        self.ended.close()


class Load:
    """Everybody who does something, and what became of it."""

    def __init__(self, site, people, seed):
        self.site, self.seed = site, seed
        self.people = [(f"p{n}", *site.nodes[n % len(site.nodes)].account(f"p{n}")) for n in range(people)]
        self.lock = threading.Lock()
        self.requests = 0
        self.failures = []  # (status, path, begun, ended, node)
        self.problems = []
        self.posts = {}     # text: (person, id or None, whether somebody asked for its end, texts it may have been changed to)
        self.histories = collections.defaultdict(list)  # (model, object...): operations
        self.polls, self.media, self.famous = [], [], []
        self.ending = False
        self.stale = [0, 0]  # of what was read elsewhere just after it was written
        # Whom nobody blocks.
        self.star = Worker(self, ("star", *site.nodes[0].account("star")), -1)
        for n in range(6):
            self.famous.append(self.star.ask("POST", "/api/v1/statuses", {"status": f"famous {n}"})[1]["id"])
            self.add_poll()
        self.threads = [threading.Thread(target=worker.run, daemon=True) for worker in
                        [Author(self, person, n) for n, person in enumerate(self.people[::2])] +
                        [Neighbour(self, person, people + n) for n, person in enumerate(self.people[::2])]]
        for thread in self.threads:
            thread.start()

    def add_poll(self):
        status, answer = self.star.ask("POST", "/api/v1/statuses", {"status": f"poll {len(self.polls)}", "poll": {
            "options": ["a", "b", "c"], "expires_in": 86400}})
        if status == 200:
            self.polls.append((answer["id"], answer["poll"]["id"]))

    def end(self):
        self.ending = True
        for thread in self.threads:
            thread.join(90)
            if thread.is_alive():
                self.problems.append("somebody waits for an answer for more than 90 s")


class Worker:
    """One connection at a time, to a node that answers."""

    def __init__(self, load, person, number):
        self.load = load
        self.name, self.id, self.token = person
        self.chance = random.Random(load.seed * 1000 + number)
        self.at, self.connection = number % len(load.site.nodes), None

    def move(self):
        self.connection = None
        self.at = (self.at + 1) % len(self.load.site.nodes)

    def ask(self, method, path, body=None, headers=None, node=None):
        """(status, answer), or (None, None) if nobody knows what became of it."""
        begun, at = time.monotonic(), self.at if node is None else node
        content = {"Content-Type": "application/json"} if isinstance(body, dict) else {}
        data = json.dumps(body) if isinstance(body, dict) else body
        try:
            connection = self.connection if node is None else None
            if not connection:
                connection = http.client.HTTPConnection("127.0.0.1", self.load.site.nodes[at].port, timeout=75)
            connection.request(method, path, data, {"Authorization": f"Bearer {self.token}"} | content | (headers or {}))
            response = connection.getresponse()
            answer, status = response.read(), response.status
            if node is None:
                self.connection = connection
        except LOST:
            if node is None:
                self.move()
            time.sleep(0.05)
            return None, None
        with self.load.lock:
            self.load.requests += 1
            if status >= 500:
                self.load.failures.append((status, path, begun, time.monotonic(), at))
        if status >= 500:
            time.sleep(0.05)
            return None, None
        return status, json.loads(answer) if answer and path.startswith("/api/") else answer

    def complain(self, what):
        with self.load.lock:
            self.load.problems.append(f"{self.name} at node {self.at}: {what}")

    def run(self):
        try:
            while not self.load.ending:
                self.do()
                time.sleep(self.chance.uniform(0.01, 0.06))
        except Exception as error:  # nobody else would hear of it
            self.complain(f"{type(error).__name__}: {error}")
            raise


class Author(Worker):
    """Writes, changes and removes posts of their own, and looks at once whether it is so."""

    def __init__(self, load, person, number):
        super().__init__(load, person, number)
        self.number, self.mine = 0, {}  # id: text it was written with

    def do(self):
        die = self.chance.random()
        if die < 0.45 or not self.mine:
            self.post()
        elif die < 0.6:
            self.edit(self.chance.choice(list(self.mine)))
        elif die < 0.7:
            self.remove(self.chance.choice(list(self.mine)))
        elif die < 0.8:
            self.favour(self.chance.choice(list(self.mine)))
        elif die < 0.85:
            self.upload()
        else:
            self.read()

    def post(self):
        self.number += 1
        text = f"{self.name} writes {self.number}"
        entry = self.load.posts[text] = {"id": None, "ended": False, "texts": {text}, "asked": 0}
        # Who is not answered asks again, as apps do, where there is an answer.
        for _ in range(5):
            entry["asked"] += 1
            status, answer = self.ask("POST", "/api/v1/statuses", {"status": text}, {"Idempotency-Key": text})
            if status == 200:
                entry["id"] = answer["id"]
                self.mine[answer["id"]] = text
                return self.look(answer["id"])
            if status:
                return self.complain(f"a post answered {status}: {answer}")
            time.sleep(self.chance.uniform(0.1, 1))

    def look(self, post):
        at = self.at
        status, listed = self.ask("GET", f"/api/v1/accounts/{self.id}/statuses?limit=5")
        if status == 200 and at == self.at and post not in [one["id"] for one in listed]:
            self.complain(f"{post} is not there for who has just written it")
        if self.chance.random() < 0.2:
            other = (at + 1) % len(self.load.site.nodes)
            status, listed = self.ask("GET", f"/api/v1/accounts/{self.id}/statuses?limit=5", node=other)
            if status == 200:
                self.load.stale[0] += post not in [one["id"] for one in listed]
                self.load.stale[1] += 1

    def edit(self, post):
        self.number += 1
        entry, text, at = self.load.posts[self.mine[post]], f"{self.name} writes {self.number} anew", self.at
        entry["texts"].add(text)
        status, answer = self.ask("PUT", f"/api/v1/statuses/{post}", {"status": text})
        if status == 200:
            entry["texts"] = {text}
            status, seen = self.ask("GET", f"/api/v1/statuses/{post}")
            if status and at == self.at and (status != 200 or text not in seen["content"]):
                self.complain(f"an edit is not seen by who made it: {status} {seen}")
        elif status:
            self.complain(f"an edit answered {status}: {answer}")

    def remove(self, post):
        entry, at = self.load.posts[self.mine.pop(post)], self.at
        entry["ended"] = "maybe"
        status, answer = self.ask("DELETE", f"/api/v1/statuses/{post}")
        if status == 200:
            entry["ended"] = "yes"
            status, listed = self.ask("GET", f"/api/v1/accounts/{self.id}/statuses?limit=40")
            if status == 200 and at == self.at and post in [one["id"] for one in listed]:
                self.complain(f"{post} is still there for who has just removed it")
        elif status:
            self.complain(f"a removal answered {status}: {answer}")

    def favour(self, post):
        at = self.at
        status, _ = self.ask("POST", f"/api/v1/statuses/{post}/bookmark")
        if status == 200:
            status, seen = self.ask("GET", f"/api/v1/statuses/{post}")
            if status == 200 and at == self.at and not seen["bookmarked"]:
                self.complain("a bookmark is not seen by who made it")

    def upload(self):
        self.number += 1
        picture = bucket.png(self.chance.randrange(1 << 30))
        body = (b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n" +
                picture + b"\r\n--x--\r\n")
        status, answer = self.ask("POST", "/api/v2/media", body, {"Content-Type": "multipart/form-data; boundary=x"})
        if status in (200, 202):
            self.load.media.append((self.token, answer["id"]))
        elif status:
            self.complain(f"an upload answered {status}: {answer}")

    def read(self):
        path = self.chance.choice(["/api/v1/timelines/home", "/api/v1/timelines/public", "/api/v1/notifications"])
        status, answer = self.ask("GET", path)
        if status and status != 200:
            self.complain(f"{path} answered {status}: {answer}")


class Neighbour(Worker):
    """Favours, follows, blocks and votes where others do the same at the same time, also in the name of others."""

    def do(self):
        self.name, self.id, self.token = self.chance.choice(self.load.people)
        die = self.chance.random()
        if die < 0.35:
            kind, status = self.chance.choice(["favourite", "unfavourite"]), self.chance.choice(self.load.famous)
            self.note((Switch, self.id, status), Operation("on" if kind == "favourite" else "off", 0),
                      f"/api/v1/statuses/{status}/{kind}")
        elif die < 0.9:
            kind = self.chance.choices(["follow", "unfollow", "block", "unblock"], [4, 2, 1, 2])[0]
            pair = sorted(one[1] for one in self.chance.sample(self.load.people, 2))
            who = self.chance.randrange(2)
            self.token = next(token for _, one, token in self.load.people if one == pair[who])
            self.note((Pair, *pair), Operation(kind, 0, who="ab"[who]), f"/api/v1/accounts/{pair[1 - who]}/{kind}", 403)
        else:
            status, poll = self.chance.choice(self.load.polls)
            choice = self.chance.randrange(3)
            self.note((Vote, self.id, status), Operation("vote", 0, value=choice), f"/api/v1/polls/{poll}/votes", 422, {"choices": [choice]})

    def note(self, key, operation, path, refusal=None, body=None):
        operation.called = time.monotonic()
        status, answer = self.ask("POST", path, body)
        if status and status in (200, refusal):
            operation.ended = time.monotonic()
            operation.outcome = "ok" if status == 200 else "refused"
        elif status:
            return self.complain(f"{path} answered {status}: {answer}")
        with self.load.lock:
            self.load.histories[key].append(operation)


class Listener:
    """Listens to the public stream at some node, and at another one when that ends."""

    def __init__(self, site, token, at):
        self.site, self.token, self.at, self.ear, self.moves = site, token, at, None, -1

    def listen(self):
        if self.ear and not self.ear.closed_at:
            return True
        for _ in self.site.nodes:
            if self.at not in self.site.down:
                try:
                    self.ear = Ear(self.site.nodes[self.at], self.token, ("public", {}))
                    self.moves += 1
                    return True
                except (OSError, RuntimeError, EOFError, AssertionError, ValueError):
                    pass
            self.at = (self.at + 1) % len(self.site.nodes)
        return False


# ---- faults ----

def kill(site, chance, long):
    """a node is killed"""
    number = chance.randrange(len(site.nodes))
    site.down.add(number)
    site.nodes[number].kill()
    time.sleep(4 if long else 1.5)
    site.nodes[number].start()
    site.down.discard(number)


def silence(site, chance, long):
    """PostgreSQL is silent"""
    site.cluster.way.silence()
    time.sleep(30 if long else 8)
    site.cluster.way.resume()


def restart(site, chance, long):
    """PostgreSQL ends at once and starts again"""
    manage("stop", site.cluster.primary)
    time.sleep(3 if long else 1)
    manage("start", site.cluster.primary)


def broker(site, chance, long):
    """Valkey is away"""
    site.broker.stop()
    time.sleep(8 if long else 3)
    site.broker.start()


def replica_ends(site, chance, long):
    """the replica is away"""
    manage("stop", site.cluster.replica)
    time.sleep(8 if long else 3)
    manage("start", site.cluster.replica)


def replica_lags(site, chance, long):
    """the replica applies nothing"""
    site.cluster.ask_replica("SELECT pg_wal_replay_pause()")
    time.sleep(20 if long else 4)
    site.cluster.ask_replica("SELECT pg_wal_replay_resume()")


def replica_is_silent(site, chance, long):
    """the replica is silent"""
    site.cluster.way_to_replica.silence()
    time.sleep(15 if long else 4)
    site.cluster.way_to_replica.resume()


def bucket_refuses(site, chance, long):
    """the bucket answers 503"""
    site.bucket.faults(fail_every=1)
    time.sleep(6 if long else 3)
    site.bucket.faults()


FAULTS = [(kill, "node"), (replica_lags, "replica"), (broker, "broker"), (replica_ends, "replica"), (bucket_refuses, "bucket"),
          (replica_is_silent, "replica"), (silence, "postgres"), (kill, "node"), (restart, "postgres")]


# ---- at the end ----

COUNTS = {
    "followers_count": "SELECT id FROM accounts a WHERE domain = '' AND followers_count <> (SELECT count(*) FROM follows WHERE target_id = a.id)",
    "following_count": "SELECT id FROM accounts a WHERE domain = '' AND following_count <> (SELECT count(*) FROM follows WHERE account_id = a.id)",
    "statuses_count": "SELECT id FROM accounts a WHERE domain = '' AND statuses_count <> (SELECT count(*) FROM statuses WHERE account_id = a.id AND deleted_at IS NULL)",
    "favourites_count": "SELECT id FROM statuses s WHERE favourites_count <> (SELECT count(*) FROM favourites WHERE status_id = s.id)",
    "votes_count": """SELECT status_id FROM poll_options o WHERE votes_count <>
                      (SELECT count(*) FROM poll_votes v WHERE v.status_id = o.status_id AND v.choice = o.position)""",
}


def settled(check, waits=lambda: False):
    """The problems that are left. What `waits` yet, as tries that failed are made again after ever longer times, is not lost."""
    begun = time.monotonic()
    while problems := check():
        over = time.monotonic() - begun
        if over > 3 * PATIENCE or (over > PATIENCE and not waits()):
            break
        time.sleep(0.5)
    return problems


def counts():
    return [f"{name} of {found.split()[:5]} is not what is there" for name, sql in COUNTS.items() if (found := psql(sql))]


def posts(load):
    problems = []
    stored = collections.defaultdict(list)
    for line in psql("SELECT id, text FROM statuses WHERE deleted_at IS NULL").splitlines():
        post, text = line.split("|", 1)
        stored[text].append(post)
    by_id = {post: text for text, all_of in stored.items() for post in all_of}
    possible = {text for entry in load.posts.values() for text in entry["texts"]}
    for text, entry in load.posts.items():
        found = [post for one in entry["texts"] for post in stored[one]]
        if len(found) > 1:
            problems.append(f"{text!r}, asked for {entry['asked']} times, is there {len(found)} times")
        if entry["id"] and not entry["ended"] and found != [entry["id"]]:
            problems.append(f"{text!r} was answered with {entry['id']}, which is {by_id.get(entry['id'])!r} now, of {entry['texts']}")
        if entry["ended"] == "yes" and entry["id"] in by_id:
            problems.append(f"{text!r} was removed and is there")
    problems += [f"nobody wrote {text!r}" for text in stored if " writes " in text and text not in possible]
    return problems


def histories(load):
    follows = {tuple(line.split("|")) for line in psql("SELECT account_id, target_id FROM follows").splitlines()}
    blocks = {tuple(line.split("|")) for line in psql("SELECT account_id, target_id FROM blocks").splitlines()}
    favourites = {tuple(line.split("|")) for line in psql("SELECT account_id, status_id FROM favourites").splitlines()}
    votes = {tuple(line.split("|")[:2]): int(line.split("|")[2]) for line in
             psql("SELECT account_id, status_id, choice FROM poll_votes").splitlines()}
    problems = []
    for (model, *what), operations in load.histories.items():
        if model is Switch:
            end = tuple(what) in favourites
        elif model is Vote:
            end = votes.get(tuple(what))
        else:
            end = frozenset([(kind, who) for kind, rows in (("follow", follows), ("block", blocks))
                             for who, pair in (("a", tuple(what)), ("b", tuple(what[::-1]))) if pair in rows])
        if not explains(model, operations, end, AT_WORK):
            problems.append(f"{model.__name__} {what} cannot have ended as {end}: {told(operations)}")
    return problems


def pictures(load, site):
    problems, worker = [], Worker(load, load.people[0], 0)
    for token, medium in load.media:
        for number in range(len(site.nodes)):
            worker.token = token
            status, found = worker.ask("GET", f"/api/v1/media/{medium}", node=number)
            if status != 200:
                problems.append(f"medium {medium} answers {status} at node {number}")
            elif (code := bucket.ask(site.nodes[number], "GET", bucket.path_of(found))[0]) != 200:
                problems.append(f"the file of medium {medium} answers {code} at node {number}")
    return problems


def unexcused(load, faults):
    """Failures that no fault explains, and how many of those there were that one does."""
    problems, excused = [], collections.Counter()
    for status, path, begun, ended, node in load.failures:
        cause = next((fault for fault, kind, start, end in faults
                      if kind in EXCUSED and EXCUSED[kind](path) and begun <= end + AFTER and ended >= start), None)
        if cause:
            excused[cause] += 1
            continue
        near = [f"{fault} {start - begun:+.1f} to {end - begun:+.1f} s" for fault, _, start, end in faults if abs(start - begun) < 40]
        problems.append(f"{path} answered {status} at node {node} after {ended - begun:.1f} s; faults: {near}")
    return problems, excused


def errors(site, faults):
    """What the logs have of other times than those in which what is needed was away."""
    since = time.time() - time.monotonic()
    excused = [(since + start - 1, since + end + AFTER) for _, kind, start, end in faults if kind in EXCUSED]
    found = []
    for node in site.nodes:
        for line in node.errors():
            at = datetime.datetime.fromisoformat(line.split(" ", 1)[0].replace("Z", "+00:00")).timestamp()
            found += [] if any(begun <= at <= end for begun, end in excused) else [line]
    return found


def heard_again(load, site, listeners, fault):
    """Everybody listens again, and hears what is said from then on, as soon as the nodes hear each other."""
    waiting, end = list(listeners), time.monotonic() + 60
    while waiting and time.monotonic() < end:
        moved = [listener for listener in waiting if listener.listen()]
        status, said = load.star.ask("POST", "/api/v1/statuses", {"status": f"after: {fault} {time.monotonic()}"})
        if status == 200:
            waiting = [one for one in waiting if one not in moved or not one.ear.has("public", "update", said["id"], 4)]
    load.add_poll()
    return [f"{fault}: who listens at node {listener.at} hears nothing of what is said afterwards" for listener in waiting]


def run(folder, count, seconds, seed=1):
    """What is checked, and [problem...], one after the other."""
    long, chance = seconds > 120, random.Random(seed)
    alone = elsewhere.missing()
    site = Site(folder, count, *([] if alone else elsewhere.SETTINGS))
    try:
        peer = None if alone else elsewhere.Elsewhere(folder, seed, 60 if long else 20)
        if peer:
            site.ended.callback(peer.stop)
        load = Load(site, 16 if long else 10, seed)
        if peer:
            peer.meet(load, load.people[:4:2])
        listeners = [Listener(site, load.people[n][2], n) for n in range(count)]
        problems, faults, begun = [], [], time.monotonic()
        for listener in listeners:
            listener.listen()
        for fault, kind in itertools.cycle(FAULTS):
            time.sleep(1.5)
            start = time.monotonic()
            fault(site, chance, long)
            faults.append((fault.__doc__, kind, start, time.monotonic()))
            if kind == "postgres":
                time.sleep(AFTER)
            problems += heard_again(load, site, listeners, fault.__doc__)
            if time.monotonic() - begun > seconds and len(faults) >= len(FAULTS):
                break
        time.sleep(1.5)
        load.end()
        if peer:
            peer.end()
        failures, excused = unexcused(load, faults)
        unanswered = sum(o.ended is None for all_of in load.histories.values() for o in all_of)
        print(f"  {count} nodes, {time.monotonic() - begun:.0f} s, {len(faults)} faults: {load.requests} requests, {len(load.posts)} posts, "
              f"{sum(map(len, load.histories.values()))} operations of {len(load.histories)} histories, {unanswered} unanswered, "
              f"{len(load.media)} uploads, {sum(listener.moves for listener in listeners)} streams moved", flush=True)
        print(f"  failed while excused: {dict(excused) or 'nothing'}; read at another node at once and not seen: "
              f"{load.stale[0]} of {load.stale[1]}", flush=True)
        served = sum(node.metric("dunlin_replica_reads_total") for node in site.nodes)
        yield "streams go on", problems
        yield "nothing is complained of", load.problems
        yield "nothing fails without excuse", failures
        yield "what was answered is there once", settled(lambda: posts(load))
        yield "what is counted is what is there", settled(counts)
        yield "what was answered can have happened", histories(load)
        yield "pictures are there", pictures(load, site)
        yield "the replica served", [] if served else ["nothing"]
        if peer:
            yield "what the other server did is done here", peer.problems + settled(peer.arrived_here)
            yield "what was done here is known to the other server", settled(lambda: peer.arrived_there(load), elsewhere.anything_waits)
            print(f"  the other server: {len(peer.posts)} posts and {len(peer.likes)} likes, told again of {peer.repeated} posts", flush=True)
        elif os.environ.get("CI"):
            yield "another server takes part", [alone]
        else:
            print(f"  without another server: {alone}", flush=True)
        yield "no node sees an error without cause", errors(site, faults)
    finally:
        site.end()
