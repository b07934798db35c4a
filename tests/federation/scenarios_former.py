# SPDX-License-Identifier: AGPL-3.0-or-later
"""A scriptable peer knows another server on our domain; then we take its place. That one, as far as the peer met it, is played
here: it has the addresses of GoToSocial."""
from former import Actor, Former, private_key
from servers import ACTIVITY, Dunlin, Peer, ask, eventually, expect

NEEDS = "peer"
ONE_BY_ONE = True
POST, FOLLOW = "01HQ5Y3ZK8W9V6T4R2P0N8M6J4", "01HQ5Y3ZK8W9V6T4R2P0N8M6J5"


class Stage:
    """The copy is made as `dunlin takeover` leaves it, before which the peer met nobody but the server of before."""

    def __init__(self, folder, program):
        self.dunlin = Dunlin(folder / "ours")
        self.peer = Peer(folder / "peer", program)
        self.servers = [self.dunlin, self.peer]
        self.ann, self.pia = self.dunlin.person("ann"), self.peer.user("pia")
        self.post = self.ann.say("from before")["id"]
        self.account = self.ann.account(self.pia.handle)
        self.dunlin.idle()
        key = self.dunlin.rows("SELECT private_key FROM actor_keys WHERE account_id = ?", self.ann.id)[0][0]
        self.dunlin.stop()
        self.actor = f"{self.dunlin.origin}/users/{self.ann.name}"
        before = Actor(self.ann.name, self.actor, self.actor + "/main-key", private_key(key))
        self.before = Former(self.dunlin.port, [before])
        self.old_post = f"{self.actor}/statuses/{POST}"
        self.old_follow = f"{self.actor}/follow/{FOLLOW}"
        try:
            self.before.send(before, f"{self.pia.uri}/inbox", {
                "id": self.old_follow, "type": "Follow", "actor": self.actor, "object": self.pia.uri})
            eventually("the peer is followed", lambda: self.pia.state()["followers"] == [self.actor])
            self.pia.do("follow", target=f"@{self.ann.name}@{self.dunlin.host}")
            asked = eventually("a Follow of the peer", lambda: [a for a in self.before.received if a["type"] == "Follow"])[0]
            self.before.send(before, f"{self.pia.uri}/inbox", {
                "id": f"{self.actor}#accepts/1", "type": "Accept", "actor": self.actor, "object": asked})
            eventually("the peer follows", lambda: self.pia.state()["following"].get(self.actor) == "accepted")
        finally:
            self.before.stop()
        self.copy(asked["id"])
        self.dunlin.start()

    def copy(self, their_follow):
        ann, change = int(self.ann.id), self.dunlin.change
        change("UPDATE accounts SET uri = ?, version = version + 1, followers_count = 1, following_count = 1 WHERE id = ?",
               [(self.actor, ann)])
        change("UPDATE actor_keys SET id = ? WHERE account_id = ?", [(self.actor + "/main-key", ann)])
        change("UPDATE statuses SET uri = ? WHERE id = ?", [(self.old_post, int(self.post))])
        change("INSERT INTO former_ids (kind, former, id) VALUES ('status', ?, ?)", [(POST, int(self.post))])
        change("INSERT INTO follows (id, account_id, target_id, created_at, uri) VALUES (?, ?, ?, 1, ?)",
               [(1, ann, int(self.account["id"]), self.old_follow), (2, int(self.account["id"]), ann, their_follow)])
        change("INSERT INTO former_paths (path, kind, id) VALUES (?, 'account', 0)", [(f"/users/{self.dunlin.host}",)])
        change("INSERT INTO takeovers (id, source, state, started_at, finished_at) VALUES (1, ?, 'finished', 1, 2)",
               [("gotosocial",)])


def s80_what_is_said_now_is_believed_by_the_key_that_the_peer_has(w):
    asked = len([line for line in w.dunlin.log.read_text(errors="replace").splitlines() if "main-key" in line])
    said = w.ann.say("after it")
    got = w.peer.wait(type="Create", object=said["uri"])[0]
    expect(got["actor"], w.actor, "actor")
    expect(len(w.peer.see("unverified")), 0, "refused by the peer")
    raw = [r for r in w.peer.see("requests", method="POST") if said["uri"] in str(r)]
    expect(any(f'keyId="{w.actor}/main-key"' in str(r) or f"{w.actor}/main-key" in str(r) for r in raw), True, "the key's id")
    now = len([line for line in w.dunlin.log.read_text(errors="replace").splitlines() if "main-key" in line])
    expect(now, asked, "requests for the key")


def s80_addresses_of_before_are_answered(w):
    note = ask("GET", w.old_post, headers=ACTIVITY)
    expect((note.status, note.json["id"], note.json["attributedTo"]), (200, w.old_post, w.actor), "the post")
    expect(ask("GET", w.old_post + "/replies", headers=ACTIVITY).status, 200, "its answers")
    key = ask("GET", w.actor + "/main-key", headers=ACTIVITY)
    expect((key.status, key.json["publicKey"]["id"], key.json["publicKey"]["owner"]),
           (200, w.actor + "/main-key", w.actor), "the key")
    expect(ask("GET", f"{w.dunlin.origin}/users/{w.dunlin.host}", headers=ACTIVITY).json["type"], "Application", "the server")
    page = ask("GET", f"{w.dunlin.origin}/@{w.ann.name}/statuses/{POST}", headers={"Accept": "text/html"})
    expect((page.status, page.headers["Location"]), (301, f"{w.dunlin.origin}/@{w.ann.name}/{w.post}"), "the page")
    expect(w.peer.do("resolve", target=w.old_post)["id"], w.old_post, "as the peer sees it")
    expect(w.peer.do("resolve", target=f"@{w.ann.name}@{w.dunlin.host}")["id"], w.actor, "by handle")
    expect(w.ann.get(f"/api/v1/statuses/{POST}")["id"], w.post, "in the API")


def s80_answers_to_what_was_said_before_land_in_the_thread(w):
    answer = w.pia.post("an answer", inReplyTo=w.old_post, mentions=[f"@{w.ann.name}@{w.dunlin.host}"])
    status = w.ann.notified("mention", w.pia.uri)["status"]
    expect((status["uri"], status["in_reply_to_id"]), (answer["id"], w.post), "the answer")
    expect([s["uri"] for s in w.ann.get(f"/api/v1/statuses/{w.post}/context")["descendants"]], [answer["id"]], "the thread")
    w.pia.do("like", target=w.old_post)
    eventually("liked", lambda: w.ann.get(f"/api/v1/statuses/{w.post}")["favourites_count"] == 1)
    w.pia.do("announce", target=w.old_post)
    eventually("boosted", lambda: w.ann.get(f"/api/v1/statuses/{w.post}")["reblogs_count"] == 1)


def s80_the_end_of_a_follow_of_before_is_understood(w):
    expect(w.pia.state()["followers"], [w.actor], "followers before")
    w.ann.post(f"/api/v1/accounts/{w.account['id']}/unfollow")
    undo = w.peer.wait(type="Undo", actor=w.actor)[0]
    expect(undo["json"]["object"]["id"], w.old_follow, "what is undone")
    eventually("unfollowed", lambda: w.pia.state()["followers"] == [])
    w.pia.do("unfollow", target=w.actor)
    eventually("no follower", lambda: w.ann.get(f"/api/v1/accounts/{w.ann.id}")["followers_count"] == 0)
