# SPDX-License-Identifier: AGPL-3.0-or-later
"""Servers that all demand signatures of who reads: two of ours, and two of the scriptable peer."""
from between import friends as friends_of_ours
from scenarios_fedify import friends
from scenarios_posts import PUBLIC
from servers import ACTIVITY, Dunlin, Peer, Wrong, ask, eventually, expect

NEEDS = "peer"
AS = "https://www.w3.org/ns/activitystreams"


class Stage:
    def __init__(self, folder, program):
        self.dunlin = self.here = Dunlin(folder / "here", "--authorized-fetch")
        self.there = Dunlin(folder / "there", "--authorized-fetch")
        # To its shared inbox the peer reads keys unsigned.
        self.peer, self.other = (Peer(folder / name, program, PEER_AUTHORIZED_FETCH="on", PEER_SHARED_INBOX="off")
                                 for name in ("peer", "other"))
        self.servers = [self.here, self.there, self.peer, self.other]


def s32_strangers_meet_though_both_demand_signatures(w):
    ann, pia, account = friends(w)
    made = pia.post("hello", mentions=[ann.handle])
    status = ann.at_home(made["id"])
    ann.post(f"/api/v1/statuses/{status['id']}/favourite")
    w.peer.wait(type="Like", object=made["id"])
    said = ann.say("hello")
    got = w.peer.wait(type="Create", object=said["uri"])[0]
    expect(got["hasLdSignature"], False, "what others may not read they need not believe")
    expect(w.peer.do("resolve", user=pia.name, target=said["uri"])["id"], said["uri"])
    pol = w.peer.user("pol")
    boosted = pol.post("worth repeating")
    # The peer itself cannot read what it demands signatures for.
    boost = {"@context": AS, "id": f"{pia.uri}#boost", "type": "Announce", "actor": pia.uri, "object": boosted["id"],
             "to": [PUBLIC], "cc": [pia.uri + "/followers"]}
    expect(pia.do("raw", target=ann.handle, activity=boost)["status"], 202)
    expect(ann.at_home(boosted["id"])["reblog"]["account"]["uri"], pol.uri)
    expect([u for u in w.peer.see("unverified") if "ap/users/" in str(u["id"])], [])


def s32_two_of_ours_meet_though_both_demand_signatures(w):
    ann, pia, _, _ = friends_of_ours(w)
    said = ann.say("hello")
    there = pia.at_home(said["uri"])
    pia.post(f"/api/v1/statuses/{there['id']}/favourite")
    ann.notified("favourite", pia.uri)
    # What nobody there has seen is read, signed, from here.
    bob, eve = w.here.person("bob"), w.there.person("eve")
    before = bob.say("before anybody looked")
    expect(eve.status(before["uri"])["account"]["uri"], bob.uri)


def s32_what_is_told_without_a_signature(w):
    ann, pia, _ = friends(w)
    said, here = ann.say("hello"), w.dunlin.origin
    nowhere = f"{ann.uri}/statuses/1"
    for url in (ann.uri, f"{here}/users/{ann.name}", said["uri"], said["uri"] + "/activity", said["uri"] + "/replies",
                ann.uri + "/outbox", ann.uri + "/followers", ann.uri + "/collections/featured", nowhere):
        bare = ask("GET", url, headers=ACTIVITY)
        expect(bare.status, 401, url)
        if "Signature" not in bare.headers.get("Vary", "") or "public" in bare.headers.get("Cache-Control", ""):
            raise Wrong(f"{url}: {bare.headers.items()}")
        signed = pia.do("fetch", url=url)
        expect(signed["status"], 404 if url == nowhere else 200, url)
        if "public" in signed["headers"].get("cache-control", ""):
            raise Wrong(f"{url} is kept for all: {signed['headers']}")
        for how in ({"after": {"headers": {"date": "Thu, 01 Jan 2026 00:00:00 GMT"}}}, {"keyId": w.peer.user("pol").uri + "#main-key"}):
            expect(pia.do("fetch", url=url, **how)["status"], 401, f"{url} {how}")
    for path in ("/actor", f"/.well-known/webfinger?resource=acct:{ann.handle[1:]}", "/.well-known/host-meta", "/nodeinfo/2.0"):
        expect(ask("GET", here + path, headers={"Accept": "*/*"} | (ACTIVITY if path == "/actor" else {})).status, 200, path)
    # People read pages as ever, and the page of a post shows who may not look nothing more.
    expect(ask("GET", f"{here}/@{ann.name}", headers={"Accept": "text/html"}).status, 200)


def s32_private_posts_are_read_by_followers_servers_alone(w):
    ann, pia, _ = friends(w)
    stranger = w.other.user("sid")
    said = ann.say("among us", visibility="private")
    w.peer.wait(type="Create", object=said["uri"])
    w.dunlin.idle()
    for url in (said["uri"], said["uri"] + "/activity", said["uri"] + "/replies"):
        expect(pia.do("fetch", url=url)["status"], 200, url)
        expect(stranger.do("fetch", url=url)["status"], 404, url)
        expect(ask("GET", url, headers=ACTIVITY).status, 401, url)
    expect(w.other.received(contains=said["uri"]), [])
    mine = pia.do("fetch", url=ann.uri + "/outbox?page=true")["body"]["orderedItems"]
    theirs = stranger.do("fetch", url=ann.uri + "/outbox?page=true")["body"]["orderedItems"]
    expect((len(mine), theirs), (1, []))
    account = ann.account(pia.handle)
    ann.post(f"/api/v1/accounts/{account['id']}/block")
    expect(pia.do("fetch", url=said["uri"])["status"], 404, "who is blocked")


def s32_private_posts_of_others_are_read_by_those_who_follow(w):
    ann, eve, pia = w.here.person("ann"), w.here.person("eve"), w.there.person("pia")
    said = pia.say("among us", visibility="private")
    expect(ann.find_status(said["uri"]), None)
    account = ann.follow(pia.handle)
    eventually("accepted", lambda: ann.relation(account)["following"])
    expect(ann.status(said["uri"])["visibility"], "private")
    expect(eve.find_status(said["uri"]), None)
