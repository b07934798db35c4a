# SPDX-License-Identifier: AGPL-3.0-or-later
"""Threads, reports, moves and lists of followers among three servers: two of ours and the scriptable peer."""
from between import friends as friends_of_ours
from scenarios_fedify import friends
from servers import ACTIVITY, Dunlin, Peer, Wrong, as_list, ask, eventually, expect

NEEDS = "peer"
ONE_BY_ONE = True  # some stop a server


class Stage:
    def __init__(self, folder, program):
        self.dunlin = self.here = Dunlin(folder / "here")
        self.there = Dunlin(folder / "there")
        self.peer = Peer(folder / "peer", program)
        self.servers = [self.here, self.there, self.peer]


def around(person, status):
    thread = person.get(f"/api/v1/statuses/{status['id']}/context")
    return [s["uri"] for s in thread["ancestors"]], [s["uri"] for s in thread["descendants"]]


def s20_an_answer_to_an_answer_reaches_those_who_read_the_thread(w):
    ann, pia, _, _ = friends_of_ours(w)
    pol = w.peer.user("pol")
    first = ann.say("a question")
    second = pia.say(f"{ann.handle} an answer", in_reply_to_id=pia.at_home(first["uri"])["id"])
    third = pol.post("an answer to the answer", inReplyTo=second["uri"])["id"]
    got = pia.notified("mention", pol.uri)["status"]
    expect(around(pia, got), ([first["uri"], second["uri"]], []))
    # It came to the server of who was answered, which passed it on: it carries a proof of its author.
    eventually("the third here", lambda: around(ann, first) == ([], [second["uri"], third]))
    fourth = ann.say(f"{pol.handle} thank you", in_reply_to_id=ann.status(third)["id"])
    made = w.peer.wait(type="Create", object=fourth["uri"])[0]["json"]["object"]
    expect(made["inReplyTo"], third)
    there = eventually("the fourth there", lambda: next((s for s in pia.get(
        f"/api/v1/statuses/{got['id']}/context")["descendants"] if s["uri"] == fourth["uri"]), None))
    expect(around(pia, there), ([first["uri"], second["uri"], third], []))
    w.here.idle()
    w.there.idle()
    expect([n["status"]["uri"] for n in ann.notifications("mention")], [second["uri"]])
    expect([n["status"]["uri"] for n in pia.notifications("mention")], [third])
    expect(len(w.peer.received(type="Create", object=fourth["uri"])), 1)


def s20_what_was_said_before_is_fetched_from_every_server(w):
    eve, pia, pol = w.here.person("eve"), w.there.person("pia"), w.peer.user("pol")
    first = pol.post("in the beginning")["id"]
    second = pia.say("then", in_reply_to_id=pia.status(first)["id"])
    third = pol.post("and then", inReplyTo=second["uri"])["id"]
    found = eve.status(third)
    eventually("both", lambda: around(eve, found) == ([first, second["uri"]], []))


def s28_reports_are_forwarded_by_the_server_without_a_name(w):
    ann, pia, account = friends(w)
    bad, other = (ann.at_home(pia.post(text)["id"]) for text in ("something bad", "something else"))
    ann.post("/api/v1/reports", account_id=account["id"], status_ids=[other["id"]], comment="not for them")
    ann.post("/api/v1/reports", account_id=account["id"], status_ids=[bad["id"]], comment="look at this", forward=True)
    flag = w.peer.wait(type="Flag")[0]["json"]
    expect((flag["actor"], flag["content"]), (w.here.origin + "/actor", "look at this"))
    expect(sorted(as_list(flag["object"])), sorted([pia.uri, bad["uri"]]))
    w.here.idle()
    expect(len(w.peer.received(type="Flag")), 1)
    if ann.uri in str(flag) or ann.name in str(flag):
        raise Wrong(f"who reported is told: {flag}")


def s28_reports_between_two_of_ours(w):
    ann, pia, pia_here, _ = friends_of_ours(w)
    bad = ann.at_home(pia.say("something bad")["uri"])
    ann.post("/api/v1/reports", account_id=pia_here["id"], status_ids=[bad["id"]], comment="between us", forward=True)
    def there():
        return w.there.rows("SELECT target_id, status_ids FROM reports WHERE comment = 'between us'")
    eventually("reported there", lambda: there() and there()[0][0] == int(pia.id))
    if pia.get("/api/v1/accounts/verify_credentials")["statuses_count"] != 1 or bad["uri"].rsplit("/")[-1] not in there()[0][1]:
        raise Wrong(f"{there()} does not name {bad['uri']}")


def s29_a_move_is_told_to_followers_elsewhere(w):
    ann, pia, _ = friends(w)
    stranger = w.peer.user("stranger")
    try:
        w.here.command("account", "move", ann.name, stranger.handle)
    except Wrong:
        pass
    else:
        raise Wrong("moved to an account that does not name the old one")
    new = w.peer.user("new", alsoKnownAs=[ann.uri])
    w.here.command("account", "move", ann.name, new.handle)
    move = w.peer.wait(type="Move", actor=ann.uri)[0]
    expect((move["object"], move["json"]["target"], move["hasLdSignature"]), (ann.uri, new.uri, True))
    expect(ask("GET", ann.uri, headers=ACTIVITY).json["movedTo"], new.uri)
    eventually("the profile tells", lambda: any(
        r["json"]["object"].get("movedTo") == new.uri for r in w.peer.received(type="Update", actor=ann.uri)))
    late = w.peer.user("late")
    late.do("follow", target=ann.uri)
    w.peer.wait(type="Reject", actor=ann.uri)
    w.here.idle()
    expect(len(w.peer.received(type="Move", actor=ann.uri)), 1)


def s29_followers_of_two_of_ours_follow_on(w):
    ann, pia, pia_here, ann_there = friends_of_ours(w)
    bob = w.here.person("bob")
    bob_ann = bob.follow(ann.handle)
    new = w.there.person("new")
    w.there.command("account", "alias", "add", new.name, ann.handle)
    w.here.command("account", "move", ann.name, new.handle)
    new_there, new_here = pia.account(new.handle), bob.account(new.handle)
    for who, old, onto in ((pia, ann_there, new_there), (bob, bob_ann, new_here)):
        eventually(f"{who.name} follows on", lambda: who.relation(onto)["following"])
        eventually(f"{who.name} does not follow the old one", lambda: not who.relation(old)["following"])
    expect(pia.get(f"/api/v1/accounts/{ann_there['id']}")["moved"]["uri"], new.uri)
    expect(sorted(a["uri"] for a in new.get(f"/api/v1/accounts/{new.id}/followers")), sorted([pia.uri, bob.uri]))


def s32_private_posts_are_asked_for_in_the_name_of_who_follows(w):
    ann, eve, pia = w.here.person("ann"), w.here.person("eve"), w.peer.user("pia")
    made = pia.post("among us", visibility="private")["id"]
    expect(ann.find_status(made), None)
    account = ann.follow(pia.handle)
    eventually("accepted", lambda: ann.relation(account)["following"])
    expect(ann.status(made)["visibility"], "private")
    expect(eve.find_status(made), None)
    named = [r["headers"]["signature"] for r in w.peer.see("requests", method="GET", path=made[len(w.peer.origin):])]
    expect((any(ann.uri in s for s in named), any(eve.uri in s for s in named)), (True, False))


def s35_lists_of_followers_that_differ_are_healed(w):
    ann, pia, pia_here, ann_there = friends_of_ours(w)
    bob, cid = w.here.person("bob"), w.here.person("cid")
    bob_pia = bob.follow(pia.handle)
    eventually("accepted", lambda: bob.relation(bob_pia)["following"])
    # There bob is forgotten, and cid, who never followed, is held for a follower.
    cid_there, bob_there = pia.account(cid.handle), pia.account(bob.handle)
    w.there.stop()
    w.there.change("DELETE FROM follows WHERE account_id = ? AND target_id = ?", [(bob_there["id"], pia.id)])
    w.there.change("INSERT INTO follows (id, account_id, target_id, created_at) VALUES (?, ?, ?, ?)",
                   [(int(cid_there["id"]) + 1, cid_there["id"], pia.id, 0)])
    w.there.start()
    said = pia.say("among us", visibility="private")
    ann.at_home(said["uri"])
    eventually("bob knows", lambda: not bob.relation(bob_pia)["following"])
    eventually("cid is no follower", lambda: [
        a["uri"] for a in pia.get(f"/api/v1/accounts/{pia.id}/followers")] == [ann.uri])
    w.here.idle()
    expect((ann.relation(pia_here)["following"], cid.relation(pia_here)["following"]), (True, False))


def s35_a_list_of_another_make_is_compared_too(w):
    ann, pia, account = friends(w)
    bob = w.here.person("bob")
    w.here.stop()
    w.here.change("INSERT INTO follows (id, account_id, target_id, created_at) VALUES (?, ?, ?, ?)",
                  [(int(bob.id) + 1, bob.id, account["id"], 0)])
    w.here.start()
    expect(bob.relation(account)["following"], True)
    made = pia.post("among us", visibility="private", sync=True)
    ann.at_home(made["id"])
    eventually("bob knows", lambda: not bob.relation(account)["following"])
    w.here.idle()
    expect((ann.relation(account)["following"], pia.state()["followers"]), (True, [ann.uri]))


def s36_a_host_that_fails_for_days_is_left_until_it_is_heard_of(w):
    ann, pia, _ = friends(w)
    w.here.stop()
    w.here.settings = (*w.here.settings, "--failure-day-seconds", "1")
    w.here.start()
    w.peer.do("fault", method="POST", path="/inbox", status=500, times=100_000)
    def state():
        return next(h for h in w.here.command("federation", "hosts", "--json") if h["host"] == w.peer.host)
    def said_in_vain():
        ann.say("is anybody there?")
        return state()["state"] == "unavailable"
    eventually("unavailable", said_in_vain, 120)
    expect(state()["waiting"], 0)
    w.here.idle()
    def tries():
        return len([r for r in w.peer.see("requests", method="POST") if r["status"] == 500])
    before = tries()
    lost = ann.say("to nobody there")
    w.here.idle()
    expect((tries(), state()["waiting"]), (before, 0))
    w.peer.do("reset")
    pol = w.peer.user("pol")
    pol.do("follow", target=ann.handle)
    eventually("accepted", lambda: pol.state()["following"].get(ann.uri) == "accepted")
    expect(state()["state"], "well")
    later = ann.say("there you are")
    w.peer.wait(type="Create", object=later["uri"])
    expect(w.peer.received(object=lost["uri"]), [])
