# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rules of moderators about whole servers, given while both run."""
import os
import random
import subprocess

from servers import ENVIRONMENT, Dunlin, Peer, ask, eventually, expect

NEEDS = "peer"
ONE_BY_ONE = True


class Stage:
    """The peer has an address of its own, since rules are about hosts, whatever their port."""

    def __init__(self, folder, program):
        address = f"127.{random.randrange(1, 255)}.{random.randrange(255)}.{random.randrange(2, 255)}"
        self.dunlin = Dunlin(folder / "ours")
        self.peer = Peer(folder / "peer", program, f"http://{address}:{{port}}", PEER_LISTEN_HOST=address)
        self.address = address
        self.servers = [self.dunlin, self.peer]

    def domain(self, *words):
        done = subprocess.run([os.environ["DUNLIN"], "domain", *words, *self.dunlin.where[:2]], env=ENVIRONMENT, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        expect(done.returncode, 0, f"dunlin domain {words}: {done.stdout}")


def befriended(w):
    """Two who follow each other."""
    ann, pia = w.dunlin.person("ann"), w.peer.user("pia")
    account = ann.follow(pia.handle)
    eventually("accepted", lambda: ann.relation(account)["following"])
    pia.do("follow", target=ann.uri)
    eventually("followed", lambda: ann.relation(account)["followed_by"])
    eventually("told so", lambda: pia.state()["following"].get(ann.uri) == "accepted")
    return ann, pia, account


def public(w):
    return [s["uri"] for s in ask("GET", w.dunlin.origin + "/api/v1/timelines/public").json]


def s27_a_suspended_server_is_parted_from_and_neither_heard_nor_told(w):
    ann, pia, account = befriended(w)
    before = pia.post("heard")
    ann.at_home(before["id"])
    w.domain("block", w.address, "--severity", "suspend", "--public-comment", "spam")
    w.peer.wait(type="Undo", actor=ann.uri)
    w.peer.wait(type="Reject", actor=ann.uri)
    counts = lambda: ann.get(f"/api/v1/accounts/{ann.id}")  # noqa: E731
    eventually("parted", lambda: counts()["followers_count"] == counts()["following_count"] == 0)
    event = ann.notified("severed_relationships")["event"]
    expect((event["type"], event["target_name"], event["followers_count"], event["following_count"]),
           ("domain_block", w.address, 1, 1))
    eventually("hidden", lambda: ann.home() == [] and before["id"] not in public(w))
    told = len(w.peer.received())
    ann.say("untold")
    for activity in ({"type": "Follow", "object": ann.uri}, {"type": "Like", "object": ann.say("unliked")["uri"]}):
        sent = {"@context": "https://www.w3.org/ns/activitystreams", "id": f"{w.peer.origin}/x/{activity['type']}",
                "actor": pia.uri} | activity
        expect(pia.do("raw", inbox=ann.uri + "/inbox", activity=sent)["status"], 403, activity["type"])
    w.dunlin.idle()
    expect(len(w.peer.received()), told, "activities that came to the peer")
    expect((ann.notifications("follow"), ann.notifications("favourite")), (ann.notifications("follow")[:1], []))
    w.domain("unblock", w.address)
    eventually("shown again", lambda: before["id"] in public(w))
    expect(ann.relation(account)["following"], False, "follows come back by themselves")
    again = ann.follow(pia.handle)
    eventually("accepted again", lambda: ann.relation(again)["following"])


def s27_a_silenced_server_reaches_only_its_followers(w):
    ann, pia, _ = befriended(w)
    bob, pat = w.dunlin.person("bob"), w.peer.user("pat")
    w.domain("block", w.address, "--severity", "silence")
    w.dunlin.idle()
    said = pia.post("for followers")
    ann.at_home(said["id"])
    expect(said["id"] in public(w), False, "in public")
    pat.do("follow", target=bob.uri)
    eventually("asked", lambda: [a["uri"] for a in bob.get("/api/v1/follow_requests")] == [pat.uri])
    w.domain("unblock", w.address)
    eventually("in public", lambda: said["id"] in public(w))
