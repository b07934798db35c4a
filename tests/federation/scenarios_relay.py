# SPDX-License-Identifier: AGPL-3.0-or-later
"""What others than its author bring: with the author's signature, without it, and by relays. `other` is the server of
those who pass on."""
import json

from scenarios_fedify import friends
from scenarios_posts import PUBLIC, create
from servers import Dunlin, Peer, Wrong, ask, as_list, eventually, expect

NEEDS = "peer"
ONE_BY_ONE = True  # a relay gets the posts of all
AS = "https://www.w3.org/ns/activitystreams"


class Stage:
    def __init__(self, folder, program):
        self.dunlin = Dunlin(folder / "ours")
        self.peer, self.other = (Peer(folder / name, program) for name in ("peer", "other"))
        self.servers = [self.dunlin, self.peer, self.other]


def signed(user, activity):
    """The text of an activity with that user's own signature."""
    return user.do("raw", inbox=user.peer.origin + "/nowhere", activity=activity, ldSign=True)["sent"]


def brings(user, w, text):
    return user.do("raw", inbox=w.dunlin.origin + "/inbox", activity=text)["status"]


def knows(w, uri):
    """The content of a post there, as it is stored, or nothing."""
    found = w.dunlin.rows("SELECT content FROM statuses WHERE uri = ? AND deleted_at IS NULL", uri)
    return found[0][0] if found else None


def shown_by(w, sent):
    """Has the author's server show the object of an activity."""
    note = sent["object"]
    w.peer.do("serve", path=note["id"][len(w.peer.origin):], body={"@context": AS} | note)


def s33_what_its_author_signed_may_be_brought_by_anybody(w):
    ann, pia, _ = friends(w)
    pol = w.other.user("pol")
    sent = create(pia, "passed-on", type="Note", content="passed on")
    expect(brings(pol, w, signed(pia, sent)), 202)
    expect(ann.at_home(sent["object"]["id"])["content"], "passed on")
    expect(w.peer.see("requests", method="GET", path=f"/users/{pia.name}/passed-on"), [], "nothing had to be asked for")
    end = {"@context": AS, "id": f"{pia.uri}#end", "type": "Delete", "actor": pia.uri, "to": [PUBLIC],
           "object": sent["object"]["id"]}
    expect(brings(pol, w, json.dumps(end)), 401, "without a signature of its own")
    w.dunlin.idle()
    expect(knows(w, sent["object"]["id"]), "passed on")
    expect(brings(pol, w, signed(pia, end)), 202)
    eventually("deleted", lambda: knows(w, sent["object"]["id"]) is None)


def s33_what_nobody_vouches_for_is_asked_for_or_dropped(w):
    ann, pia, _ = friends(w)
    pol = w.other.user("pol")
    def forged(name, change, known):
        sent = create(pia, f"{name}-{known}", type="Note", content="what was said")
        if known:
            shown_by(w, sent)
        return sent["object"]["id"], change(sent)
    def tampered(sent):
        document = json.loads(signed(pia, sent))
        document["object"]["content"] = "forged"
        return json.dumps(document)
    def added(sent):
        document = json.loads(signed(pia, sent))
        document["object"]["tag"] = {"type": "Mention", "href": ann.uri}
        return json.dumps(document)
    def by_the_bringer(sent):
        return signed(pol, sent)
    def with_a_foreign_creator(sent):
        document = json.loads(signed(pol, sent))
        document["signature"]["creator"] = pia.uri + "#main-key"
        return json.dumps(document)
    def with_no_signature_to_speak_of(sent):
        return json.dumps(sent | {"signature": {"type": "RsaSignature2017"}})
    for change in (tampered, added, by_the_bringer, with_a_foreign_creator, with_no_signature_to_speak_of):
        for known in (False, True):
            uri, text = forged(change.__name__, change, known)
            expect(brings(pol, w, text), 202, change.__name__)
            if known:
                expect(ann.at_home(uri)["content"], "what was said", f"{change.__name__}, as its server shows it")
            w.dunlin.idle()
            expect(knows(w, uri), "what was said" if known else None, change.__name__)
    sent = create(pia, "bare", type="Note", content="what was said")
    expect(brings(pol, w, json.dumps(sent)), 401)
    w.dunlin.idle()
    expect((knows(w, sent["object"]["id"]), ann.notifications("mention")), (None, []))


def s33_answers_are_forwarded_to_the_followers_of_who_is_answered(w):
    ann, pia, _ = friends(w)
    pol = w.other.user("pol")
    pol.do("follow", target=ann.handle)
    eventually("accepted", lambda: pol.state()["following"].get(ann.uri) == "accepted")
    said = ann.say("a question")
    w.other.wait(type="Create", object=said["uri"])
    answer = create(pia, "answer", type="Note", content="an answer", inReplyTo=said["uri"])
    text = signed(pia, answer)
    expect(brings(pia, w, text), 202)
    got = w.other.wait(type="Create", object=answer["object"]["id"])[0]
    expect((got["actor"], got["hasLdSignature"], got["json"]), (pia.uri, True, json.loads(text)), "as it came")
    # What is not signed, or not for all, goes no further; nor does anything go back.
    bare = create(pia, "bare", type="Note", content="an answer", inReplyTo=said["uri"])
    private = create(pia, "private", type="Note", content="an answer", inReplyTo=said["uri"], to=[ann.uri], cc=[])
    expect(brings(pia, w, json.dumps(bare)), 202)
    expect(brings(pia, w, signed(pia, private)), 202)
    eventually("both are here", lambda: knows(w, bare["object"]["id"]) and knows(w, private["object"]["id"]))
    w.dunlin.idle()
    for sent in (bare, private):
        expect(w.other.received(contains=sent["object"]["id"]), [])
    expect(w.peer.received(contains=pia.uri + "/answer"), [])


def s33_our_public_posts_speak_for_themselves(w):
    ann, pia, _ = friends(w)
    pol = w.other.user("pol")
    for visibility, speaks in (("public", True), ("unlisted", True), ("private", False)):
        said = ann.say(f"for {visibility}", visibility=visibility)
        got = w.peer.wait(type="Create", object=said["uri"])[0]
        expect(got["hasLdSignature"], speaks, visibility)
        if speaks:
            # Somebody else brings it to a third server, which believes it, and does not when it says something else.
            passed = pia.do("raw", inbox=pol.uri + "/inbox", activity=got["json"])
            expect(passed["status"], 202, str(passed["body"]))
            expect(w.other.wait(type="Create", object=said["uri"])[0]["actor"], ann.uri)
            changed = json.loads(json.dumps(got["json"]))
            changed["id"] += "2"
            expect(pia.do("raw", inbox=pol.uri + "/inbox", activity=changed)["status"], 401)


def subscribed(w, address, hub):
    w.dunlin.command("relay", "add", address)
    follow = w.other.wait(type="Follow", inbox=hub.name)[0]
    expect(state(w, address), "pending")
    return follow["json"]


def state(w, address):
    return next((r["state"] for r in w.dunlin.command("relay", "list", "--json") if r["address"] == address), None)


def remote_timeline(person):
    return person.get("/api/v1/timelines/public", remote="true", limit=40)


def s34_a_relay_hands_posts_round_until_it_is_left(w):
    ann, pia, hub, eve = w.dunlin.person("ann"), w.peer.user("pia"), w.other.user("hub"), w.peer.user("eve")
    address = hub.uri + "/inbox"
    follow = subscribed(w, address, hub)
    expect((follow["actor"], follow["object"]), (w.dunlin.origin + "/actor", PUBLIC))
    early = ann.say("too early")
    w.dunlin.idle()
    def answers(user, kind):
        return user.do("raw", inbox=w.dunlin.origin + "/inbox", activity={
            "@context": AS, "id": f"{user.uri}#{kind}", "type": kind, "actor": user.uri, "object": follow["id"]})["status"]
    expect(answers(eve, "Accept"), 202)
    w.dunlin.idle()
    expect(state(w, address), "pending", "nobody answers for it")
    expect(answers(hub, "Accept"), 202)
    eventually("accepted", lambda: state(w, address) == "accepted")

    said = ann.say("for all the world")
    for visibility in ("unlisted", "private"):
        ann.say(f"for {visibility}", visibility=visibility)
    got = w.other.wait(type="Create", actor=ann.uri)
    ann.put(f"/api/v1/statuses/{said['id']}", status="for the whole world")
    w.other.wait(type="Update", actor=ann.uri)
    ann.delete(f"/api/v1/statuses/{said['id']}")
    w.other.wait(type="Delete", actor=ann.uri)
    w.dunlin.idle()
    expect([(r["type"], r["inbox"], r["hasLdSignature"]) for r in w.other.received(actor=ann.uri)],
           [(kind, hub.name, True) for kind in ("Create", "Update", "Delete")], "what the relay gets")
    expect(got[0]["object"], said["uri"])
    expect(w.other.received(object=early["uri"]), [])

    def forwarded(name):
        sent = create(pia, name, type="Note", content=name)
        expect(brings(hub, w, json.dumps(sent)), 401, "unsigned")
        expect(brings(hub, w, signed(pia, sent)), 202)
        return sent["object"]["id"]
    def announced(name):
        made = pia.post(name)["id"]
        hub.do("raw", inbox=w.dunlin.origin + "/inbox", activity={
            "@context": AS, "id": f"{hub.uri}#{name}", "type": "Announce", "actor": hub.uri, "object": made, "to": [PUBLIC]})
        return made
    both = [forwarded("forwarded"), announced("announced")]
    eventually("both are here", lambda: set(both) <= {s["uri"] for s in remote_timeline(ann)})
    w.dunlin.idle()
    expect([s for s in remote_timeline(ann) if s["reblog"]], [], "boosts")
    expect(ann.home()[0]["account"]["id"], ann.id, "nobody follows them")
    # Who is no relay hands nothing round.
    strange = create(pia, "strange", type="Note", content="strange")
    expect(brings(eve, w, signed(pia, strange)), 202)
    w.dunlin.idle()
    expect(knows(w, strange["object"]["id"]), None)

    w.dunlin.command("relay", "remove", address)
    undo = w.other.wait(type="Undo")[0]["json"]
    expect((undo["object"]["id"], undo["object"]["type"]), (follow["id"], "Follow"))
    expect(state(w, address), None)
    late = [forwarded("late-forwarded"), announced("late-announced")]
    last = ann.say("not for the relay")
    w.dunlin.idle()
    expect([knows(w, uri) for uri in late], [None, None])
    expect(w.other.received(object=last["uri"]), [])


def s34_a_relay_that_is_an_actor_follows_back(w):
    ann, pia = w.dunlin.person("ann"), w.peer.user("pia")
    hub, eve = w.other.user("hub", kind="Application"), w.peer.user("eve")
    w.dunlin.command("relay", "add", hub.uri)
    expect(w.other.wait(type="Follow", inbox=hub.name)[0]["object"], hub.uri)
    eventually("accepted", lambda: state(w, hub.uri) == "accepted")
    server = w.dunlin.origin + "/actor"
    for who, wanted in ((hub, "accepted"), (eve, None)):
        who.do("follow", target=server)
        eventually(f"{who.name} is {wanted}", lambda: who.state()["following"].get(server) == wanted)
    made = pia.post("announced")["id"]
    hub.do("announce", target=made)
    hub.do("raw", inbox=w.dunlin.origin + "/inbox", activity={
        "@context": AS, "id": f"{hub.uri}#boost", "type": "Announce", "actor": hub.uri, "object": made, "to": [PUBLIC]})
    eventually("here", lambda: made in {s["uri"] for s in remote_timeline(ann)})
    expect([s for s in remote_timeline(ann) if s["reblog"]], [])
    said = ann.say("for all the world")
    w.other.wait(type="Create", object=said["uri"])
    w.dunlin.command("relay", "remove", hub.uri)
    w.other.wait(type="Undo", actor=server)
