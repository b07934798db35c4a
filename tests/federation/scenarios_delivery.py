# SPDX-License-Identifier: AGPL-3.0-or-later
"""Signatures, retries and actors that change, with the scriptable peer."""
from scenarios_fedify import Stage, friends  # noqa: F401
from scenarios_posts import PUBLIC, create
from servers import ACTIVITY, Wrong, ask, eventually, expect

NEEDS = "peer"
ONE_BY_ONE = True


def s30_every_kind_of_good_signature(w):
    ann, pia, _ = friends(w)
    ways = {"draft": {"spec": "draft-cavage-http-signatures-12"}, "rfc": {"spec": "rfc9421"}, "ed25519": {"key": "ed25519"}}
    for name, how in ways.items():
        sent = create(pia, f"signed-{name}", type="Note", content=name)
        expect(pia.do("raw", target=ann.handle, activity=sent, **how)["status"], 202, name)
        ann.at_home(sent["object"]["id"])


def s30_bad_signatures_leave_nothing(w):
    ann, pia, _ = friends(w)
    pol = w.peer.user("pol")
    sent = create(pia, "forged", type="Note", content="forged")
    import datetime
    now = datetime.datetime.now(datetime.timezone.utc)
    stamp = lambda hours: (now + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")
    cases = {
        "unsigned": ({"unsigned": True}, 401),
        "another body": ({"after": {"body": "{}"}}, 401),
        "another date": ({"after": {"headers": {"date": "Thu, 01 Jan 2026 00:00:00 GMT"}}}, 401),
        "too old": ({"date": stamp(-14)}, 401),
        "from the future": ({"date": stamp(3)}, 401),
        "old and rfc": ({"date": stamp(-14), "spec": "rfc9421"}, 401),
        "another body and rfc": ({"spec": "rfc9421", "after": {"body": "{}"}}, 401),
        "a malformed digest": ({"spec": "rfc9421", "after": {"headers": {"content-digest": "sha-256=?"}}}, 400),
        "ed25519 and another body": ({"key": "ed25519", "after": {"body": "{}"}}, 401),
        "somebody else's key": ({"keyId": pol.uri + "#main-key"}, 401),
        "no such key": ({"keyId": pia.uri + "#other-key"}, 401),
        "no JSON": ({"activity": "no JSON"}, 400),
    }
    for name, (how, status) in cases.items():
        got = pia.do("raw", target=ann.handle, **({"activity": sent} | how))["status"]
        expect(got, status, name)
    w.dunlin.idle()
    expect([s for s in ann.home() if s["uri"] == sent["object"]["id"]], [])
    expect(pol.do("raw", target=ann.handle, activity=sent)["status"], 401, "signed by another")
    w.dunlin.idle()
    expect([s for s in ann.home() if s["uri"] == sent["object"]["id"]], [])


def s30_the_second_knock(w):
    ann, pia, _ = friends(w)
    w.peer.do("fault", method="POST", path="/inbox", status=401, times=1)
    said = ann.say("knock knock")
    got = w.peer.wait(type="Create", object=said["uri"])[0]
    expect(got["signedWith"], "rfc9421")
    again = ann.say("who is there?")
    expect(w.peer.wait(type="Create", object=again["uri"])[0]["signedWith"], "rfc9421", "what is remembered")


def s31_rotated_keys(w):
    ann, pia, _ = friends(w)
    w.dunlin.later(400)  # what was just read is not read again at once
    pia.do("rotate-keys")
    ann.at_home(pia.post("with the new key")["id"])
    pia.do("rotate-keys", silent=True)
    w.dunlin.later(400)
    ann.at_home(pia.post("with a key that nobody was told of")["id"])
    pia.do("rotate-keys", silent=True)
    sent = create(pia, "too-soon", type="Note", content="one more")
    expect(pia.do("raw", target=ann.handle, activity=sent)["status"], 401, "changed again at once")


def s36_what_fails_is_tried_again(w):
    ann, pia, _ = friends(w)
    faults = {"an error": {"status": 500, "times": 2}, "busy": {"status": 503, "headers": {"retry-after": "1"}},
              "too many": {"status": 429, "headers": {"retry-after": "1"}}, "cut off": {"drop": True},
              "slow": {"delayMs": 2000, "status": 500}}
    for name, fault in faults.items():
        w.peer.do("fault", method="POST", path="/inbox", **({"times": 1} | fault))
        said = ann.say(name)
        w.peer.wait(type="Create", object=said["uri"])
        expect(len(w.peer.received(type="Create", object=said["uri"])), 1, name)


def s36_order_is_kept(w):
    ann, pia, _ = friends(w)
    w.peer.do("fault", method="POST", path="/inbox", status=500, times=5)
    said = ann.say("one")
    # What waits for its inboxes when the post is deleted is not told any more.
    def told_of(count):
        eventually(f"{count} activities", lambda: w.dunlin.rows(
            "SELECT count(*), (SELECT count(*) FROM jobs WHERE kind = 'fan_out_activity') FROM activities WHERE body LIKE ?",
            f"%{said['uri']}%") == [(count, 0)])
    told_of(1)
    for count, text in ((2, "two"), (3, "three")):
        ann.put(f"/api/v1/statuses/{said['id']}", status=text)
        told_of(count)
    ann.delete(f"/api/v1/statuses/{said['id']}")
    w.peer.wait(type="Delete", contains=said["uri"])
    expect([r["type"] for r in w.peer.received(contains=said["uri"])], ["Create", "Update", "Update", "Delete"])


def s36_a_restart_loses_nothing(w):
    ann, pia, _ = friends(w)
    w.peer.do("fault", method="POST", path="/inbox", status=500, times=3)
    said = ann.say("before the crash")
    w.dunlin.crash()
    w.peer.wait(type="Create", object=said["uri"])


def s36_gone_is_gone(w):
    ann, pia, _ = friends(w)
    w.peer.do("fault", method="POST", path="/inbox", status=410, times=1)
    said = ann.say("to nobody")
    w.dunlin.idle()
    expect(w.peer.received(type="Create", object=said["uri"]), [])
    later = ann.say("to somebody again")
    w.peer.wait(type="Create", object=later["uri"])


def s39_a_deleted_actor_disappears(w):
    ann, pia, account = friends(w)
    made = pia.post("last words")
    status = ann.at_home(made["id"])
    pia.do("delete-actor")
    eventually("the post is gone", lambda: ann.ask("GET", f"/api/v1/statuses/{status['id']}").status == 404)
    eventually("no follower", lambda: ann.get(f"/api/v1/accounts/{ann.id}/followers") == [])
    eventually("no search result", lambda: ann.find_account(pia.handle) is None)


def s40_suspended_on_and_off(w):
    ann, pia, account = friends(w)
    pia.do("profile", suspended=True)
    def is_suspended():
        return bool(ann.get(f"/api/v1/accounts/{account['id']}").get("suspended"))
    eventually("suspended", is_suspended)
    pia.do("profile", suspended=False)
    eventually("not suspended", lambda: not is_suspended())


def s29_followers_go_with_whom_they_follow(w):
    ann, pia, account = friends(w)
    pol = w.peer.user("pol")
    pia.do("move", target=pol.uri)
    w.dunlin.idle()
    expect(ann.relation(account)["following"], True, "without an alias nothing happens")
    expect(pol.state()["followers"], [])
    pia = w.peer.user("pia")
    account = ann.follow(pia.handle)
    eventually("accepted", lambda: ann.relation(account)["following"])
    new = w.peer.user("new", alsoKnownAs=[pia.uri])
    pia.do("move", target=new.uri)
    eventually("follows the new one", lambda: new.state()["followers"] == [ann.uri])
    eventually("not the old one", lambda: not ann.relation(account)["following"])
    expect(ann.get(f"/api/v1/accounts/{account['id']}")["moved"]["uri"], new.uri)


def s35_followers_are_compared(w):
    ann, pia, account = friends(w)
    bob = w.dunlin.person("bob")
    said = ann.say("for friends", visibility="private")
    got = w.peer.wait(type="Create", object=said["uri"])[0]
    header = got["collectionSynchronization"]
    if not header or f'collectionId="{ann.uri}/followers"' not in header:
        raise Wrong(f"header {header!r}")
    digest = w.peer.do("digest", uris=[pia.uri])["digest"]
    if f'digest="{digest}"' not in header:
        raise Wrong(f"{header} does not tell {digest}")
    # Somebody here believes to follow, and their server knows nothing of it.
    at_bob = bob.follow(pia.handle)
    eventually("accepted", lambda: bob.relation(at_bob)["following"])
    bob_there = bob.uri
    pia.do("post", content="for friends", visibility="private", sync=True)
    w.dunlin.idle()
    expect((ann.relation(account)["following"], bob.relation(at_bob)["following"]), (True, True))


def s27_muted_and_blocked_people(w):
    ann, pia, account = friends(w)
    ann.post(f"/api/v1/accounts/{account['id']}/mute")
    pia.post("unheard", mentions=[ann.handle])
    w.dunlin.idle()
    expect((ann.notifications("mention"), ann.home()), ([], []))
    expect(pia.state()["followers"], [ann.uri], "nobody is told of it")
    ann.post(f"/api/v1/accounts/{account['id']}/unmute")
    ann.post(f"/api/v1/accounts/{account['id']}/block")
    block = w.peer.wait(type="Block", actor=ann.uri)[0]
    eventually("no follows", lambda: pia.state()["followers"] == [] and ann.uri not in pia.state()["following"])
    ann.post(f"/api/v1/accounts/{account['id']}/unblock")
    w.peer.wait(type="Undo", object=block["id"])


def s27_who_is_blocked_there(w):
    ann, pia, account = friends(w)
    pia.do("block", target=ann.handle)
    eventually("no follows", lambda: not ann.relation(account)["following"] and not ann.relation(account)["followed_by"])
    expect(ann.relation(account)["blocked_by"], True)


def s28_reports_arrive(w):
    ann, pia, _ = friends(w)
    said = ann.say("something bad")
    pia.do("flag", target=ann.handle, comment="look at this", objects=[said["uri"]])
    eventually("reported", lambda: w.dunlin.rows(
        "SELECT 1 FROM reports WHERE comment = 'look at this' AND target_id = ? AND status_ids LIKE ?", ann.id, f"%{said['id']}%"))
    # As Lemmy does.
    flag = {"@context": "https://www.w3.org/ns/activitystreams", "id": pia.uri + "/flags/1", "type": "Flag", "actor": pia.uri,
            "to": [ann.uri], "object": said["uri"], "summary": "and at that"}
    expect(pia.do("raw", target=ann.handle, activity=flag)["status"], 202)
    eventually("why", lambda: w.dunlin.rows("SELECT 1 FROM reports WHERE comment = 'and at that' AND target_id = ?", ann.id))


def s41_what_every_address_answers(w):
    ann = w.dunlin.person("ann")
    said = ann.say("hello")
    here = w.dunlin.origin
    page = f"{here}/@{ann.name}"
    activity, html, jrd = "application/activity+json", "text/html", "application/jrd+json"
    rows = [
        (ann.uri, activity, 200, activity), (ann.uri, html, 301, None), (f"{here}/users/{ann.name}", activity, 200, activity),
        (page, html, 200, html), (page, activity, 200, activity), (said["uri"], activity, 200, activity),
        (said["uri"] + "/activity", activity, 200, activity), (f"{page}/{said['id']}", html, 200, html),
        (f"{page}/{said['id']}", activity, 200, activity), (ann.uri + "/outbox", html, 200, activity),
        (ann.uri + "/followers", "*/*", 200, activity), (here + "/actor", activity, 200, activity),
        (f"{here}/.well-known/webfinger?resource=acct:{ann.handle[1:]}", jrd, 200, jrd),
        (f"{here}/.well-known/webfinger?resource={ann.uri}", jrd, 200, jrd),
        (f"{here}/.well-known/webfinger?resource=acct:nobody@{w.dunlin.host}", jrd, 404, None),
        (f"{here}/.well-known/webfinger", jrd, 400, None), (f"{here}/.well-known/host-meta", "*/*", 200, "application/xrd+xml"),
        (f"{here}/.well-known/nodeinfo", "*/*", 200, "application/json"), (f"{here}/nodeinfo/2.0", "*/*", 200, "application/json"),
        (f"{here}/nodeinfo/2.1", "*/*", 200, "application/json"), (f"{here}/ap/users/1", activity, 404, None),
    ]
    for url, accept, status, type in rows:
        answer = ask("GET", url, headers={"Accept": accept})
        expect(answer.status, status, f"{url} for {accept}")
        if type and not answer.headers["Content-Type"].startswith(type):
            raise Wrong(f"{url} for {accept}: {answer.headers['Content-Type']}")
        if url in (ann.uri, said["uri"], page) and "Accept" not in answer.headers.get("Vary", ""):
            raise Wrong(f"{url} for {accept} does not vary: {answer.headers.get('Vary')}")
        if accept == activity and url in (ann.uri, said["uri"]) and "Signature" not in answer.headers.get("Vary", ""):
            raise Wrong(f"{url} does not vary by who signs: {answer.headers.get('Vary')}")
    expect(w.peer.do("nodeinfo", target=here)["software"]["name"], "dunlin")
