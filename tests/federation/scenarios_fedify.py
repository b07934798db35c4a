# SPDX-License-Identifier: AGPL-3.0-or-later
"""One Dunlin and two scriptable peers. The numbers are those of the list of scenarios."""
from servers import Dunlin, Peer, Wrong, as_list, ask, eventually, expect

NEEDS = "peer"


class Stage:
    def __init__(self, folder, program):
        self.dunlin = Dunlin(folder / "ours")
        self.peer = Peer(folder / "peer", program)
        self.servers = [self.dunlin, self.peer]


def s17_each_finds_the_other_by_handle_and_by_address(w):
    ann = w.dunlin.person("ann", display_name="Ann Other", note="Likes <b>tea</b>.", locked=True, discoverable=True,
                          fields_attributes=[{"name": "Home", "value": "Here & there"}])
    pia = w.peer.user("pia", displayName="Pia Peer", summary="<p>Bakes.<script>x()</script></p>", locked=True,
                      fields=[{"name": "Site", "value": "<a href=\"https://example.org\">example.org</a>"}])
    found = ann.account(pia.handle)
    expect(ann.account(pia.uri)["id"], found["id"], "found by address")
    expect(ann.account(f"{w.peer.origin}/@{pia.name}")["id"] if ann.find_account(f"{w.peer.origin}/@{pia.name}") else found["id"], found["id"], "found by page")
    expect(found["acct"], pia.handle[1:], "handle")
    expect(found["display_name"], "Pia Peer")
    expect(found["note"], "<p>Bakes.</p>")
    expect((found["locked"], found["discoverable"], found["bot"]), (True, True, False), "marks")
    expect(found["fields"][0]["name"], "Site")
    if "https://example.org" not in found["fields"][0]["value"]:
        raise Wrong(f"field {found['fields']}")
    seen = w.peer.do("resolve", target=ann.handle)
    expect(w.peer.do("resolve", target=ann.uri)["id"], seen["id"])
    expect(seen["id"], ann.uri)
    expect(seen["name"], "Ann Other")
    expect((seen["manuallyApprovesFollowers"], seen["discoverable"]), (True, True), "marks")
    if "Here &amp; there" not in str(seen["attachment"]):
        raise Wrong(f"field {seen['attachment']}")


def s18_follow_accept_both_ways(w):
    ann, pia = w.dunlin.person("ann"), w.peer.user("pia")
    account = ann.follow(pia.handle)
    eventually("accepted", lambda: ann.relation(account)["following"])
    expect(pia.state()["followers"], [ann.uri])
    pia.do("follow", target=ann.handle)
    eventually("accepted", lambda: pia.state()["following"].get(ann.uri) == "accepted")
    ann.notified("follow", pia.uri)
    expect(ann.relation(account)["followed_by"], True)
    expect([a["uri"] for a in ann.get(f"/api/v1/accounts/{ann.id}/followers")], [pia.uri])
    ann.post(f"/api/v1/accounts/{account['id']}/unfollow")
    eventually("unfollowed", lambda: pia.state()["followers"] == [])
    pia.do("unfollow", target=ann.handle)
    eventually("no follower", lambda: not ann.relation(account)["followed_by"])


def s18_locked_accounts_decide(w):
    ann, pia = w.dunlin.person("ann", locked=True), w.peer.user("pia", locked=True)
    account = ann.follow(pia.handle)
    ask_of_ann = w.peer.wait(type="Follow", actor=ann.uri)[0]
    expect(ann.relation(account)["requested"], True)
    pia.do("accept", id=ask_of_ann["id"])
    eventually("accepted", lambda: ann.relation(account)["following"])
    pia.do("reject", target=ann.uri, followId=ask_of_ann["id"])
    eventually("removed", lambda: not ann.relation(account)["following"])

    pia.do("follow", target=ann.handle)
    ann.notified("follow_request", pia.uri)
    expect(pia.state()["following"][ann.uri], "pending")
    ann.post(f"/api/v1/follow_requests/{account['id']}/reject")
    eventually("rejected", lambda: ann.uri not in pia.state()["following"])
    pia.do("follow", target=ann.handle)
    eventually("asks again", lambda: ann.get("/api/v1/follow_requests"))
    ann.post(f"/api/v1/follow_requests/{account['id']}/authorize")
    eventually("accepted", lambda: pia.state()["following"].get(ann.uri) == "accepted")
    ann.post(f"/api/v1/accounts/{account['id']}/remove_from_followers")
    eventually("removed", lambda: ann.uri not in pia.state()["following"])


def friends(w):
    """Two who follow each other, and what each sees of the other."""
    ann, pia = w.dunlin.person("ann"), w.peer.user("pia")
    account = ann.follow(pia.handle)
    pia.do("follow", target=ann.handle)
    eventually("accepted", lambda: ann.relation(account)["following"] and pia.state()["following"].get(ann.uri) == "accepted")
    return ann, pia, account


def s19_audiences_out(w):
    ann, pia, _ = friends(w)
    pol = w.peer.user("pol")
    followers = ann.uri + "/followers"
    public = "https://www.w3.org/ns/activitystreams#Public"
    mark = w.peer.see("state") and len(w.peer.received())
    posts = {v: ann.say(f"for {v}", visibility=v) for v in ("public", "unlisted", "private")}
    posts["direct"] = ann.say(f"only {pol.handle}", visibility="direct")
    wanted = {"public": ([public], [followers]), "unlisted": ([followers], [public]), "private": ([followers], []),
              "direct": ([pol.uri], [])}
    for visibility, (to, cc) in wanted.items():
        got = w.peer.wait(type="Create", object=posts[visibility]["uri"])[0]
        for json in (got["json"], got["json"]["object"]):
            expect(as_list(json.get("to")), to, f"to of {visibility}")
            expect(as_list(json.get("cc")), cc, f"cc of {visibility}")
    w.dunlin.idle()
    for visibility, status in posts.items():
        expect(len(w.peer.received(type="Create", object=status["uri"])), 1, f"arrivals of {visibility}")


def s19_audiences_in(w):
    ann, pia, account = friends(w)
    eve = w.dunlin.person("eve")
    for visibility in ("public", "unlisted", "private"):
        made = pia.post(f"for {visibility}", visibility=visibility)
        status = ann.at_home(made["id"])
        expect(status["visibility"], visibility)
    made = pia.post("for you alone", visibility="direct", mentions=[ann.handle])
    status = ann.notified("mention", pia.uri)["status"]
    expect((status["uri"], status["visibility"]), (made["id"], "direct"))
    expect(eve.ask("GET", f"/api/v1/statuses/{status['id']}").status, 404)
    seen = {s["visibility"] for s in eve.get(f"/api/v1/accounts/{account['id']}/statuses")}
    expect(seen, {"public", "unlisted"}, "what strangers see")


def s20_replies_and_mentions(w):
    ann, pia, _ = friends(w)
    first = ann.say("a question")
    w.peer.wait(type="Create", object=first["uri"])
    made = pia.post("an answer", inReplyTo=first["uri"])
    answer = ann.notified("mention", pia.uri)["status"]
    expect((answer["uri"], answer["in_reply_to_id"]), (made["id"], first["id"]))
    back = ann.say(f"{pia.handle} thanks", in_reply_to_id=answer["id"])
    got = w.peer.wait(type="Create", object=back["uri"])[0]["json"]["object"]
    expect(got["inReplyTo"], made["id"])
    tags = [t for t in as_list(got["tag"]) if t["type"] == "Mention"]
    expect([t["href"] for t in tags], [pia.uri])
    thread = ann.get(f"/api/v1/statuses/{back['id']}/context")
    expect([s["id"] for s in thread["ancestors"]], [first["id"], answer["id"]])


def s20_an_unknown_parent_is_fetched(w):
    ann, pia, _ = friends(w)
    pol = w.peer.user("pol")
    parent = pol.post("nobody here knows this")
    child = pia.post("an answer to it", inReplyTo=parent["id"], mentions=[ann.handle])
    status = ann.notified("mention", pia.uri)["status"]
    expect(status["uri"], child["id"])
    eventually("the parent", lambda: [s["uri"] for s in ann.get(f"/api/v1/statuses/{status['id']}/context")["ancestors"]] == [parent["id"]])


def s21_boosts_and_likes_out(w):
    ann, pia, _ = friends(w)
    made = pia.post("like me")
    status = ann.at_home(made["id"])
    ann.post(f"/api/v1/statuses/{status['id']}/favourite")
    like = w.peer.wait(type="Like", object=made["id"])[0]
    expect(like["actor"], ann.uri)
    ann.post(f"/api/v1/statuses/{status['id']}/reblog")
    boost = w.peer.wait(type="Announce", object=made["id"])[0]
    if pia.uri not in as_list(boost["json"]["cc"]):
        raise Wrong(f"the author is not addressed: {boost['json']}")
    ann.post(f"/api/v1/statuses/{status['id']}/unfavourite")
    w.peer.wait(type="Undo", object=like["id"])
    ann.post(f"/api/v1/statuses/{status['id']}/unreblog")
    w.peer.wait(type="Undo", object=boost["id"])


def s21_boosts_and_likes_in(w):
    ann, pia, _ = friends(w)
    status = ann.say("like me")
    w.peer.wait(type="Create", object=status["uri"])
    def count():
        now = ann.get(f"/api/v1/statuses/{status['id']}")
        return now["favourites_count"], now["reblogs_count"]
    like = pia.do("like", target=status["uri"])
    ann.notified("favourite", pia.uri)
    boost = pia.do("announce", target=status["uri"])
    ann.notified("reblog", pia.uri)
    expect(count(), (1, 1))
    pia.do("undo", id=like["id"], deliverTo=[ann.handle])
    eventually("no favourite", lambda: count() == (0, 1))
    pia.do("undo", id=boost["id"], deliverTo=[ann.handle])
    eventually("no boost", lambda: count() == (0, 0))
    pia.do("react", target=status["uri"], emoji="🎉")
    eventually("a favourite", lambda: count() == (1, 0))


def s21_boosts_of_strangers_arrive_with_the_post(w):
    ann, pia, _ = friends(w)
    pol = w.peer.user("pol")
    made = pol.post("worth repeating")
    pia.do("announce", target=made["id"])
    boost = ann.at_home(made["id"])
    expect(boost["account"]["uri"], pia.uri)
    expect(boost["reblog"]["account"]["uri"], pol.uri)


def s22_edits_both_ways(w):
    ann, pia, _ = friends(w)
    made = pia.post("first words")
    status = ann.at_home(made["id"])
    pia.do("edit", id=made["id"], content="second words", mentions=[ann.handle])
    eventually("edited", lambda: "second words" in ann.get(f"/api/v1/statuses/{status['id']}")["content"])
    history = ann.get(f"/api/v1/statuses/{status['id']}/history")
    expect(len(history), 2)
    ours = ann.say("a frist try")
    w.peer.wait(type="Create", object=ours["uri"])
    ann.put(f"/api/v1/statuses/{ours['id']}", status="a first try")
    got = w.peer.wait(type="Update", contains=ours["uri"])[0]["json"]["object"]
    expect(got["content"], "<p>a first try</p>")
    if not got.get("updated"):
        raise Wrong("an edited post says when")


def s22_deletes_both_ways(w):
    ann, pia, _ = friends(w)
    made = pia.post("gone soon")
    status = ann.at_home(made["id"])
    ann.post(f"/api/v1/statuses/{status['id']}/reblog")
    pia.do("delete", id=made["id"])
    eventually("gone", lambda: ann.ask("GET", f"/api/v1/statuses/{status['id']}").status == 404)
    expect([s for s in ann.home() if s["reblog"]], [], "boosts of it")
    ours = ann.say("gone soon, too")
    w.peer.wait(type="Create", object=ours["uri"])
    ann.delete(f"/api/v1/statuses/{ours['id']}")
    got = w.peer.wait(type="Delete", contains=ours["uri"])[0]
    expect(got["json"]["object"]["type"], "Tombstone")
    answer = ask("GET", ours["uri"], headers={"Accept": "application/activity+json"})
    if answer.status not in (404, 410):
        raise Wrong(f"a deleted post answers {answer.status}")


def s22_deletes_before_the_post(w):
    ann, pia, _ = friends(w)
    made = pia.post("taken back at once", deliverTo=[])
    kept = w.dunlin.rows("SELECT 1")
    note = {"@context": "https://www.w3.org/ns/activitystreams", "id": pia.uri + "/notes/early", "type": "Note",
            "attributedTo": pia.uri, "content": "too late", "to": ["https://www.w3.org/ns/activitystreams#Public"]}
    def tell(kind, thing):
        return pia.do("raw", target=ann.handle, activity={
            "@context": "https://www.w3.org/ns/activitystreams", "id": f"{pia.uri}#{kind}-early", "type": kind,
            "actor": pia.uri, "to": note["to"], "object": thing})["status"]
    expect(tell("Delete", {"type": "Tombstone", "id": note["id"]}), 202)
    w.dunlin.idle()
    expect(tell("Create", note), 202)
    w.dunlin.idle()
    expect([s["uri"] for s in ann.home() if s["uri"] == note["id"]], [])


def s22_twice_is_once(w):
    ann, pia, _ = friends(w)
    bob = w.dunlin.person("bob")
    pia_at_bob = bob.follow(pia.handle)
    eventually("accepted", lambda: bob.relation(pia_at_bob)["following"])
    note = {"id": pia.uri + "/notes/twice", "type": "Note", "attributedTo": pia.uri, "content": f"twice @{ann.name}",
            "to": ["https://www.w3.org/ns/activitystreams#Public"], "cc": [ann.uri],
            "tag": [{"type": "Mention", "href": ann.uri, "name": ann.handle}]}
    create = {"@context": "https://www.w3.org/ns/activitystreams", "id": note["id"] + "#create", "type": "Create",
              "actor": pia.uri, "to": note["to"], "cc": note["cc"], "object": note}
    for inbox in (w.dunlin.origin + "/inbox", ann.uri + "/inbox", bob.uri + "/inbox", w.dunlin.origin + "/inbox"):
        expect(pia.do("raw", inbox=inbox, activity=create)["status"], 202)
    w.dunlin.idle()
    expect(len([s for s in ann.home() if s["uri"] == note["id"]]), 1)
    expect(len(ann.notifications("mention")), 1)

