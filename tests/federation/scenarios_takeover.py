# SPDX-License-Identifier: AGPL-3.0-or-later
"""A scriptable peer knows people of a Mastodon; then its place is taken by `dunlin takeover`, out of its database. The peer sees no
change. The Mastodon, as far as the peer met it, is played here, with the keys that are in the database. What stands here of the stage
and of what is tried there serves GoToSocial, too (scenarios_takeover_gotosocial.py)."""
import contextlib
import dataclasses
import hashlib
import json
import os
import re
import subprocess
import zlib
from base64 import b64decode

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from former import Actor, Former, private_key
from moving import new_database
from servers import ACTIVITY, Dunlin, Peer, Person, ask, eventually, expect, free_port
from taking import DUMP, MEDIA, OLD_CONFIGURATION, TOKEN, Browser

NEEDS = "mastodon"
ONE_BY_ONE = True
BOB_ID = "111866491699200077"


class TakenOver(Dunlin):
    """One of ours in whose data folder `before` does what it likes, once the port is known and before anybody listens there."""

    def __init__(self, folder, before):
        self.before = before
        super().__init__(folder)

    def make_owner(self):
        pass  # it comes along

    def start(self):
        if self.before:
            before, self.before = self.before, None
            before(self)
        return super().start()

    @contextlib.contextmanager
    def rehearsal(self):
        """The copy is served at another port."""
        port, settings = self.port, self.settings
        self.port, self.settings = free_port(), (*settings, "--rehearse")
        self.host, self.origin = f"127.0.0.1:{port}", f"http://127.0.0.1:{self.port}"
        super().start()
        try:
            yield
        finally:
            expect(self.stop(), [], "the end of the rehearsal")
            self.port, self.settings = port, settings

    def take_over(self, word, source):
        return self.command("takeover", word, source, "--old-config", str(self.folder / "old"),
                            "--files", str(self.folder / "system"))


class Database:
    """Of the Mastodon: that of the seed, under the address that will be ours, with keys that are opened."""

    alice_token = TOKEN
    estuary, picture = "117539654860800017", "117545317171200034"  # posts of alice
    pia, answer = "117599000000000001", "117599000000000100"  # numbers of what the peer has here
    follow = "/payloads/6f1c0c9e-0000-4000-8000-000000000077"  # alice's of pia
    file, bytes = "/system/" + MEDIA, b"bytes of a picture"
    actor = "/actor"
    counts = (3, 1, 3)  # of likes, boosts and answers of the first post
    others_follow_alice = 2
    follows = 6

    def __init__(self, dunlin):
        self.url = new_database(os.environ["DUNLIN_TEST_POSTGRES"], "mastodon_of_the_peer")
        self.origin, host = f"http://127.0.0.1:{dunlin.port}", f"127.0.0.1:{dunlin.port}"
        seed = DUMP.read_text().replace("https://social.example.org", self.origin).replace("social.example.org", host)
        self.change(seed)
        configuration = OLD_CONFIGURATION.replace("social.example.org", host) + "LOCAL_HTTPS=false\n"
        (dunlin.folder / "old").write_text(configuration)
        self.words = dict(line.split("=", 1) for line in configuration.splitlines())
        picture = dunlin.folder / "system" / MEDIA
        picture.parent.mkdir(parents=True)
        picture.write_bytes(self.bytes)

    def change(self, sql):
        subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", self.url], input=sql, text=True, check=True, stdout=subprocess.DEVNULL)

    def one(self, sql):
        return subprocess.run(["psql", "-qtA", self.url, "-c", sql], check=True, capture_output=True, text=True).stdout.strip()

    def put(self, table, **columns):
        times = {"created_at": "2026-11-12 06:00:00", "updated_at": "2026-11-12 06:00:00"}
        row = times | columns
        values = ", ".join("'" + str(value).replace("'", "''") + "'" for value in row.values())
        self.change(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({values})")

    def actors(self):
        sealed = json.loads(self.one(f"SELECT private_key FROM keypairs WHERE account_id = {BOB_ID}"))
        key = hashlib.pbkdf2_hmac("sha256", self.words["ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY"].encode(),
                                  self.words["ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT"].encode(), 65_536, 32)
        opened = AESGCM(key).decrypt(b64decode(sealed["h"]["iv"]), b64decode(sealed["p"]) + b64decode(sealed["h"]["at"]), None)
        keys = {"alice": self.one("SELECT private_key FROM accounts WHERE id = 1"), "bob": zlib.decompress(opened).decode()}
        uris = {"alice": f"{self.origin}/users/alice", "bob": f"{self.origin}/ap/users/{BOB_ID}"}
        return [Actor(name, uri, uri + "#main-key", private_key(keys[name])) for name, uri in uris.items()]

    def store(self, met):
        self.put("accounts", id=self.pia, username=met.name, domain=met.host, display_name="Pia", uri=met.document["id"],
                 url=met.document["id"], public_key=met.document["publicKey"]["publicKeyPem"], inbox_url=met.document["inbox"],
                 shared_inbox_url=met.document["endpoints"]["sharedInbox"], outbox_url=met.document["outbox"],
                 followers_url=met.document["followers"], following_url=met.document["following"], protocol=1, actor_type="Person")
        self.put("follows", id=11, account_id=1, target_account_id=self.pia, uri=met.followed)
        self.put("follows", id=12, account_id=self.pia, target_account_id=1, uri=met.follows["alice"])
        self.put("follows", id=13, account_id=self.pia, target_account_id=BOB_ID, uri=met.follows["bob"])
        self.put("statuses", id=self.answer, uri=met.answer, url=met.answer, text="<p>an answer of before</p>", visibility=0,
                 account_id=self.pia, local="false", conversation_id=1, in_reply_to_id=self.estuary, in_reply_to_account_id=1, reply="true")
        self.put("mentions", id=14, status_id=self.answer, account_id=1)
        self.put("favourites", id=144, account_id=self.pia, status_id=self.estuary)


@dataclasses.dataclass
class Met:
    """What the server of before knows of the peer's pia."""
    name: str
    host: str
    document: dict
    followed: str  # the id of alice's Follow
    follows: dict  # her Follows of people here, by name
    answer: str
    like: str


class Stage:
    Database = Database

    def __init__(self, folder, program):
        self.peer = Peer(folder / "peer", program)
        self.servers = [self.peer]
        self.pia, self.pol = self.peer.user("pia"), self.peer.user("pol")
        self.dunlin = TakenOver(folder / "ours", self.take)
        self.servers.append(self.dunlin)
        # What is asked of us from now on.
        self.alice = Person(self.dunlin, "alice", self.before.alice_token)
        self.bob = Person(self.dunlin, "bob", self.dunlin.run("token", "create", "bob", "--scopes", "read write follow"))
        number = lambda post: self.alice.get(f"/api/v1/statuses/{post}")["id"]
        self.estuary, self.picture, self.answer_id = (number(one) for one in (self.before.estuary, self.before.picture, self.before.answer))
        self.pia_id = self.alice.get(f"/api/v1/accounts/{self.before.pia}")["id"]

    def take(self, dunlin):
        database = self.before = self.Database(dunlin)
        self.actors = database.actors()
        self.old_post = f"{self.actors[0].uri}/statuses/{database.estuary}"
        self.old_follow = database.origin + database.follow
        before = Former(dunlin.port, self.actors)
        try:
            self.meet(before, database)
            dunlin.take_over("check", database.url)
            dunlin.take_over("copy", database.url)
            self.rehearse(dunlin)
        finally:
            before.stop()
        self.finished = dunlin.take_over("finish", database.url)
        self.log_begins = dunlin.log.stat().st_size

    def meet(self, before, database):
        """The peer follows and is followed, answers and likes; and so it stands in the database."""
        alice, bob = self.actors
        before.write(alice, self.old_post, "First light over the estuary")
        before.send(alice, f"{self.pia.uri}/inbox", {
            "id": self.old_follow, "type": "Follow", "actor": alice.uri, "object": self.pia.uri})
        eventually("the peer is followed", lambda: self.pia.state()["followers"] == [alice.uri])
        asked = {}
        for n, actor in enumerate(self.actors):
            self.pia.do("follow", target=f"@{actor.name}@{before.host}")
            asked[actor.name] = eventually("a Follow of the peer", lambda: next(
                (a for a in before.received if a["type"] == "Follow" and a["object"] == actor.uri), None))
            before.send(actor, f"{self.pia.uri}/inbox", {
                "id": f"{actor.uri}#accepts/{n}", "type": "Accept", "actor": actor.uri, "object": asked[actor.name]})
            eventually("the peer follows", lambda: self.pia.state()["following"].get(actor.uri) == "accepted")
        self.answer = self.pia.post("an answer of before", inReplyTo=self.old_post, mentions=[f"@alice@{before.host}"])["id"]
        self.like = self.pia.do("like", target=self.old_post)["id"]
        database.store(Met(self.pia.name, self.peer.host, ask("GET", self.pia.uri, headers=ACTIVITY).json, self.old_follow,
                           {name: activity["id"] for name, activity in asked.items()}, self.answer, self.like))

    def rehearse(self, dunlin):
        """Somebody posts, answers, likes and looks for people; all of it waits."""
        asked = len(self.peer.see("requests"))
        with dunlin.rehearsal():
            alice = Person(dunlin, "alice", self.before.alice_token)
            self.rehearsed = alice.say(f"rehearsed {self.pia.handle}", in_reply_to_id=self.before.answer)["id"]
            alice.post(f"/api/v1/statuses/{self.before.answer}/favourite")
            self.found_in_rehearsal = alice.find_account(self.pol.handle)
            eventually("something waits for the peer", lambda: dunlin.rows("SELECT 1 FROM deliveries"))
            eventually("all else is done", lambda: not dunlin.rows(
                "SELECT 1 FROM jobs WHERE leased_until > 0 OR run_at <= CAST(strftime('%s', 'now') AS INTEGER) * 1000"))
            self.waiting_in_rehearsal = dunlin.rows("SELECT 1 FROM deliveries")
        self.asked_in_rehearsal = self.peer.see("requests")[asked:]

    def requests_for(self, path):
        """Those of the peer, since the place was taken."""
        with open(self.dunlin.log, errors="replace") as log:
            log.seek(self.log_begins)
            return [line for line in log if f'method="GET" path="{path}"' in line and "Fedify" in line]


def s80_a_rehearsal_reaches_nobody_and_leaves_nothing(w):
    expect(w.asked_in_rehearsal, [], "what the peer was asked and told")
    expect(w.found_in_rehearsal, None, "somebody who would have to be asked for")
    expect(bool(w.waiting_in_rehearsal), True, "what waited")
    expect(w.alice.ask("GET", f"/api/v1/statuses/{w.rehearsed}").status, 404, "what was said then")
    expect([s["uri"] for s in w.alice.get("/api/v1/favourites") if s["uri"] == w.answer], [], "what was liked then")
    expect(re.search(rf"\bfollows +{w.before.follows} +{w.before.follows}\n", w.finished) is not None, True, w.finished)


def s81_the_peer_believes_what_is_said_now_by_the_keys_it_has(w):
    for person, actor in zip((w.alice, w.bob), w.actors):
        said = person.say(f"after it, by {person.name}")
        expect(said["uri"].startswith(actor.uri + "/statuses/"), True, said["uri"])
        got = w.peer.wait(type="Create", object=said["uri"])[0]
        expect(got["actor"], actor.uri, "who says it")
        path, of_key = (uri.removeprefix(w.dunlin.origin) for uri in (actor.uri, actor.key_id.partition("#")[0]))
        expect(w.requests_for(path) + w.requests_for(of_key), [], "the key was asked for")
        w.peer.do("resolve", target=actor.uri)
        expect(len(w.requests_for(path)) > 0, True, "and now it was")
    expect(w.peer.see("unverified"), [], "what the peer did not believe")


def s82_people_keys_and_posts_are_what_they_were(w):
    for actor in w.actors:
        found = ask("GET", actor.uri, headers=ACTIVITY).json
        expect((found["id"], found["publicKey"]["id"], found["publicKey"]["publicKeyPem"].split()),
               (actor.uri, actor.key_id, actor.public_pem.split()), actor.name)
        expect(w.peer.do("resolve", target=f"@{actor.name}@{w.dunlin.host}")["id"], actor.uri, "by handle")
    expect(w.peer.do("resolve", target=w.old_post)["id"], w.old_post, "an old post")
    expect(w.peer.do("resolve", target=w.dunlin.origin + w.before.actor)["type"], "Application", "the server")
    expect(ask("GET", w.dunlin.origin + w.before.file).body, w.before.bytes)
    expect({uri: state for uri, state in w.pia.state()["following"].items()}, {a.uri: "accepted" for a in w.actors}, "follows")
    expect(w.alice.relation({"id": w.pia_id})["following"], True, "followed by alice")


def s83_answers_likes_and_boosts_of_old_posts_count(w):
    def status():
        return w.alice.get(f"/api/v1/statuses/{w.estuary}")
    before = status()
    expect((before["uri"], before["favourites_count"], before["reblogs_count"], before["replies_count"]), (w.old_post, *w.before.counts))
    new = w.pia.post("an answer of now", inReplyTo=w.old_post, mentions=[f"@alice@{w.dunlin.host}"])["id"]
    told = w.alice.notified("mention", w.pia.uri)["status"]
    expect((told["uri"], told["in_reply_to_id"]), (new, w.estuary), "the answer")
    below = [s["uri"] for s in w.alice.get(f"/api/v1/statuses/{w.estuary}/context")["descendants"]]
    expect((w.answer in below, new in below), (True, True), "the thread")
    w.pol.do("like", target=w.old_post)
    eventually("liked", lambda: status()["favourites_count"] == w.before.counts[0] + 1)
    w.pia.do("announce", target=w.old_post)
    eventually("boosted", lambda: status()["reblogs_count"] == w.before.counts[1] + 1)
    w.pia.do("undo", id=w.like, deliverTo=[w.actors[0].uri])
    eventually("the like of before is taken back", lambda: status()["favourites_count"] == w.before.counts[0])
    w.pia.do("edit", id=w.answer, content="another answer", mentions=[f"@alice@{w.dunlin.host}"])
    eventually("the answer of before is edited", lambda: "another answer" in w.alice.get(f"/api/v1/statuses/{w.answer_id}")["content"])
    back = w.alice.say(f"{w.pia.handle} thanks", in_reply_to_id=w.answer_id)
    expect(w.peer.wait(type="Create", object=back["uri"])[0]["json"]["object"]["inReplyTo"], w.answer, "what is answered")


def s84_old_posts_are_edited_and_deleted_under_their_old_ids(w):
    w.alice.put(f"/api/v1/statuses/{w.estuary}", status="Last light over the estuary")
    got = w.peer.wait(type="Update", contains="Last light over")[0]["json"]["object"]
    expect((got["id"], got["attributedTo"]), (w.old_post, w.actors[0].uri), "what was edited")
    w.alice.delete(f"/api/v1/statuses/{w.picture}")
    gone = f"{w.actors[0].uri}/statuses/{w.before.picture}"
    w.peer.wait(type="Delete", contains=gone)
    expect(ask("GET", gone, headers=ACTIVITY).status, 410, "what was deleted")


def s85_follows_of_before_end(w):
    alice, bob = w.actors
    w.alice.post(f"/api/v1/accounts/{w.pia_id}/unfollow")
    undone = w.peer.wait(type="Undo", actor=alice.uri)[0]["json"]["object"]
    expect((undone["type"], undone["id"]), ("Follow", w.old_follow), "what is undone")
    eventually("unfollowed", lambda: w.pia.state()["followers"] == [])
    for actor, person, left in ((alice, w.alice, w.before.others_follow_alice), (bob, w.bob, 0)):
        w.pia.do("unfollow", target=actor.uri)
        eventually("a follower less", lambda: w.alice.get(f"/api/v1/accounts/{person.id}")["followers_count"] == left)


def s86_passwords_of_before_are_right(w):
    for password, expected in (("sandpiper tide 42!", 200), ("sandpiper tide 43!", 302)):
        browser = Browser(w.dunlin.port, w.dunlin.origin)
        browser.submit("/auth/sign_in", {"user[email]": "alice@example.org", "user[password]": password})
        expect(browser.ask("GET", "/settings/account", Accept="text/html").status, expected, password)
