# SPDX-License-Identifier: AGPL-3.0-or-later
"""Quotes: leave is asked for, given, held back, refused and taken back. The peer answers when it is told to."""
from between import friends as friends_of_ours
from scenarios_fedify import friends
from scenarios_posts import create
from servers import ACTIVITY, Dunlin, Peer, Wrong, ask, eventually, expect

NEEDS = "peer"
AS = "https://www.w3.org/ns/activitystreams"


class Stage:
    def __init__(self, folder, program):
        self.dunlin = self.here = Dunlin(folder / "here")
        self.there = Dunlin(folder / "there")
        self.peer = Peer(folder / "peer", program, PEER_QUOTES="hold")
        self.servers = [self.here, self.there, self.peer]


def state(person, status):
    """What has become of a quote, as that person is shown it, and what is shown of the quoted post."""
    quote = person.get(f"/api/v1/statuses/{status['id']}").get("quote") or {}
    return quote.get("state"), (quote.get("quoted_status") or {}).get("uri")


def quoted_by_ann(w, ann, pia, **more):
    """A post of pia's, the status of ann's that quotes it, and what asked for leave."""
    made = pia.post("worth quoting", **more)
    there = ann.at_home(made["id"])
    said = ann.say("look at this", quoted_status_id=there["id"])
    asked = w.peer.wait(type="QuoteRequest", object=made["id"], actor=ann.uri)[0]
    return made, said, asked


def s25_a_quote_of_ours_is_asked_for_held_and_accepted(w):
    ann, pia, _ = friends(w)
    made, said, asked = quoted_by_ann(w, ann, pia)
    instrument = asked["json"]["instrument"]
    expect((instrument["id"], instrument["quote"]), (said["uri"], made["id"]))
    first = w.peer.wait(type="Create", object=said["uri"])[0]["json"]["object"]
    expect((first["quote"], first.get("quoteAuthorization")), (made["id"], None), "at once, and without a stamp")
    w.dunlin.idle()
    expect(state(ann, said), ("pending", None))
    expect(w.peer.received(type="Update", contains=said["uri"]), [])
    pia.do("accept", id=asked["id"])
    eventually("accepted", lambda: state(ann, said) == ("accepted", made["id"]))
    told = w.peer.wait(type="Update", contains=said["uri"])[0]["json"]["object"]
    stamp = told["quoteAuthorization"]
    if not stamp.startswith(pia.uri + "/stamps/"):
        raise Wrong(f"stamp {stamp!r}")
    expect(ask("GET", said["uri"], headers=ACTIVITY).json["quoteAuthorization"], stamp)
    # Somebody else cannot take it back, its author can.
    pol = w.peer.user("pol")
    def take_back(user, number):
        return user.do("raw", target=ann.handle, activity={
            "@context": AS, "id": f"{user.uri}#revoked-{number}", "type": "Delete", "actor": user.uri, "object": stamp})["status"]
    expect(take_back(pol, 1), 202)
    w.dunlin.idle()
    expect(state(ann, said)[0], "accepted")
    expect(take_back(pia, 2), 202)
    eventually("revoked", lambda: state(ann, said) == ("revoked", None))
    last = w.peer.wait(type="Update", contains=said["uri"], count=2)[1]["json"]["object"]
    expect(last.get("quoteAuthorization"), None)


def s25_a_quote_of_ours_is_rejected(w):
    ann, pia, _ = friends(w)
    made, said, asked = quoted_by_ann(w, ann, pia)
    pia.do("reject", id=asked["id"])
    eventually("rejected", lambda: state(ann, said) == ("rejected", None))
    w.dunlin.idle()
    shown = ask("GET", said["uri"], headers=ACTIVITY).json
    expect(shown.get("quoteAuthorization"), None)
    if "look at this" not in ann.get(f"/api/v1/statuses/{said['id']}")["content"]:
        raise Wrong("the words stay")


def s25_a_quote_of_theirs_gets_a_stamp_which_can_be_taken_back(w):
    ann, pia, _ = friends(w)
    said = ann.say("worth quoting")
    w.peer.wait(type="Create", object=said["uri"])
    made = pia.post("look at that", quote=said["uri"])
    answer = w.peer.wait(type="Accept", contains=made["quoteRequest"]["id"])[0]["json"]
    shown = ask("GET", answer["result"], headers=ACTIVITY).json
    expect((shown["type"], shown["id"], shown["attributedTo"], shown["interactingObject"], shown["interactionTarget"]),
           ("QuoteAuthorization", answer["result"], ann.uri, made["id"], said["uri"]), "the stamp")
    seen = w.peer.do("resolve", target=answer["result"])
    expect(seen["id"], answer["result"], "as the peer reads it")
    ann.notified("quote", pia.uri)
    status = ann.at_home(made["id"])
    expect(state(ann, status), ("accepted", said["uri"]))
    expect(ann.get(f"/api/v1/statuses/{said['id']}")["quotes_count"], 1)
    expect([s["uri"] for s in ann.get(f"/api/v1/statuses/{said['id']}/quotes")], [made["id"]])
    ann.post(f"/api/v1/statuses/{said['id']}/quotes/{status['id']}/revoke")
    told = w.peer.wait(type="Delete", actor=ann.uri)[0]
    expect(told["json"]["object"]["id"], answer["result"])
    expect(told["hasLdSignature"], True)
    expect(ask("GET", answer["result"], headers=ACTIVITY).status, 404)
    expect(state(ann, status), ("revoked", None))
    w.dunlin.idle()
    expect(len(w.peer.received(type="Accept", contains=made["quoteRequest"]["id"])), 1)


def s25_quotes_of_theirs_that_the_policy_keeps_out(w):
    ann, pia, _ = friends(w)
    pol = w.peer.user("pol")
    posts = {"nobody": (ann.say("not for quoting", quote_approval_policy="nobody"), pia),
             "followers": (ann.say("for those who follow", quote_approval_policy="followers"), pol),
             "private": (ann.say("among us", visibility="private"), pia)}
    for name, (said, who) in posts.items():
        note = create(who, f"quotes-{name}", type="Note", content="look", quote=said["uri"])["object"]
        request = {"@context": AS, "id": f"{note['id']}#ask", "type": "QuoteRequest", "actor": who.uri, "object": said["uri"],
                   "instrument": note}
        expect(who.do("raw", target=ann.handle, activity=request)["status"], 202, name)
        w.peer.wait(type="Reject", contains=request["id"])
        expect(w.peer.received(type="Accept", contains=request["id"]), [], name)
        expect(ann.get(f"/api/v1/statuses/{said['id']}")["quotes_count"], 0, name)
    followers, _ = posts["followers"]
    made = pia.post("I follow", quote=followers["uri"])
    w.peer.wait(type="Accept", contains=made["quoteRequest"]["id"])
    w.dunlin.idle()
    expect([n["account"]["uri"] for n in ann.notifications("quote")], [pia.uri])


def s25_quotes_that_are_not_asked_for_as_they_should(w):
    ann, pia, _ = friends(w)
    pol = w.peer.user("pol")
    said, other = ann.say("worth quoting"), ann.say("something else")
    note = create(pia, "quotes", type="Note", content="look", quote=said["uri"])["object"]
    def request(number, who, about, instrument):
        return who.do("raw", target=ann.handle, activity={
            "@context": AS, "id": f"{who.uri}#ask-{number}", "type": "QuoteRequest", "actor": who.uri, "object": about,
            "instrument": instrument})["status"]
    request(1, pol, said["uri"], note)  # somebody else's note
    request(2, pia, other["uri"], note)  # which quotes another post
    request(3, pia, said["uri"], f"{pia.uri}/notes/nowhere")
    request(4, pia, said["uri"], f"{w.there.origin}/ap/users/1/statuses/1")
    w.dunlin.idle()
    for who, number in ((pol, 1), (pia, 2), (pia, 3), (pia, 4)):
        expect(w.peer.received(type="Accept", contains=f"{who.uri}#ask-{number}"), [], f"request {number}")
    expect(ann.notifications("quote"), [])


def s25_older_quotes_and_quotes_of_oneself(w):
    ann, pia, _ = friends(w)
    pol = w.peer.user("pol")
    of_pol = pol.post("by somebody else")
    own = pia.post("my own words")
    ann.at_home(own["id"])
    again = pia.post("as I said", quote=own["id"])
    eventually("a quote of oneself", lambda: state(ann, ann.at_home(again["id"])) == ("accepted", own["id"]))
    for name, quoted, wanted in (("own", own["id"], ("accepted", own["id"])), ("other", of_pol["id"], (None, None))):
        for term in ("quoteUrl", "quoteUri", "_misskey_quote"):
            sent = create(pia, f"{name}-{term}", type="Note", content="look", **{term: quoted})
            expect(pia.do("raw", target=ann.handle, activity=sent)["status"], 202)
            status = ann.at_home(sent["object"]["id"])
            w.dunlin.idle()
            expect(state(ann, status), wanted, f"{term} of {name}")


def s25_quotes_among_others_need_a_stamp_that_holds(w):
    ann, pia, _ = friends(w)
    pol = w.peer.user("pol")
    quoted = pol.post("worth quoting")["id"]
    def stamp(name, status=200, **more):
        id = f"{pol.uri}/stamps/{pia.name}-{name}"
        w.peer.do("serve", path=id[len(w.peer.origin):], status=status, body={
            "@context": [AS, {"QuoteAuthorization": "https://w3id.org/fep/044f#QuoteAuthorization"}], "id": id,
            "type": "QuoteAuthorization", "attributedTo": pol.uri, "interactingObject": f"{pia.uri}/{name}",
            "interactionTarget": quoted} | more)
        return id
    cases = {
        "good": (stamp("good"), "accepted"),
        "another-post": (stamp("another-post", interactionTarget=quoted + "-2"), "rejected"),
        "another-quote": (stamp("another-quote", interactingObject=pia.uri + "/x"), "rejected"),
        "by-oneself": (stamp("by-oneself", attributedTo=pia.uri), "rejected"),
        "no-stamp": (stamp("no-stamp", type="Note"), "rejected"),
        "withdrawn": (stamp("withdrawn", status=410), "rejected"),
        "missing": (f"{pol.uri}/stamps/missing", "rejected"),
        "without": (None, "pending"),
    }
    for name, (authorization, wanted) in cases.items():
        sent = create(pia, name, type="Note", content="look", quote=quoted, quoteAuthorization=authorization)
        expect(pia.do("raw", target=ann.handle, activity=sent)["status"], 202)
        status = ann.at_home(sent["object"]["id"])
        eventually(f"{name} is {wanted}", lambda: state(ann, status)[0] == wanted)
        w.dunlin.idle()
        expect(state(ann, status), (wanted, quoted if wanted == "accepted" else None), name)


def s25_between_two_of_ours(w):
    ann, pia, _, _ = friends_of_ours(w)
    said = ann.say("worth quoting")
    made = pia.say("look at that", quoted_status_id=pia.at_home(said["uri"])["id"])
    expect(state(pia, made)[0], "pending")
    eventually("accepted there", lambda: state(pia, made) == ("accepted", said["uri"]))
    ann.notified("quote", pia.uri)
    status = ann.at_home(made["uri"])
    expect(state(ann, status), ("accepted", said["uri"]))
    expect(ann.get(f"/api/v1/statuses/{said['id']}")["quotes_count"], 1)
    ann.post(f"/api/v1/statuses/{said['id']}/quotes/{status['id']}/revoke")
    eventually("revoked there", lambda: state(pia, made) == ("revoked", None))
    expect(state(ann, status), ("revoked", None))
    expect(ask("GET", made["uri"], headers=ACTIVITY).json.get("quoteAuthorization"), None)
    for more in ({"quote_approval_policy": "nobody"}, {"visibility": "private"}):
        closed = pia.at_home(ann.say("not for quoting", **more)["uri"])
        answer = pia.ask("POST", "/api/v1/statuses", {"status": "anyway", "quoted_status_id": closed["id"]})
        expect(answer.status in (403, 404, 422), True, f"{more} answers {answer.status}")


def s25_a_private_post_is_quoted_by_its_author_alone(w):
    ann, pia, _, _ = friends_of_ours(w)
    said = ann.say("among us", visibility="private")
    quote = ann.say("as I said", quoted_status_id=said["id"], visibility="private")
    there = pia.at_home(quote["uri"])
    eventually("shown to a follower", lambda: state(pia, there) == ("accepted", said["uri"]))
    eve = w.there.person("eve")
    for status in (quote, said):
        expect(ask("GET", status["uri"], headers=ACTIVITY).status, 404)
        expect(eve.find_status(status["uri"]), None)
