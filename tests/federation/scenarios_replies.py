# SPDX-License-Identifier: AGPL-3.0-or-later
"""Who may answer: what waits is approved, refused, hidden and taken back, and no server that does not mind can bring a refused
answer back. `w.there` is a third server, where people read the same threads."""
from between import friends as friends_of_ours
from scenarios_posts import create
from servers import ACTIVITY, Dunlin, Peer, Wrong, as_list, ask, eventually, expect

NEEDS = "peer"
AS = "https://www.w3.org/ns/activitystreams"
PUBLIC = AS + "#Public"


class Stage:
    def __init__(self, folder, program):
        self.dunlin = self.here = Dunlin(folder / "here")
        self.there = Dunlin(folder / "there")
        self.peer = Peer(folder / "peer", program)
        self.servers = [self.here, self.there, self.peer]

    def idle(self):
        """Twice, as what one of them had left to do may be work for another."""
        for server in (self.here, self.there) * 2:
            server.idle()


def below(person, status):
    """The answers in the thread as that person is shown it, or, of a server, as anybody is."""
    path = f"/api/v1/statuses/{status['id']}/context"
    found = person.get(path) if hasattr(person, "get") else ask("GET", person.origin + path).json
    return sorted(s["uri"] for s in found["descendants"])


def collected(uri):
    """The answers that its server names to other servers."""
    page, found = ask("GET", uri + "/replies", headers=ACTIVITY).json["first"], []
    while page:
        page = ask("GET", page, headers=ACTIVITY).json if isinstance(page, str) else page
        found += [item if isinstance(item, str) else item["id"] for item in as_list(page.get("items"))]
        page = page.get("next")
    return sorted(found)


def everywhere(w, status, readers):
    """What stands below a post of ours: to its readers, to strangers, to other servers, on its page, and how many are counted."""
    page = ask("GET", status["url"], headers={"Accept": "text/html"}).body.decode()
    named = collected(status["uri"])
    shown = {f"to {name}": below(person, known) for name, (person, known) in readers.items()}
    shown |= {"to anybody": below(w.here, status), "to other servers": named}
    counted = ask("GET", f"{w.here.origin}/api/v1/statuses/{status['id']}").json["replies_count"]
    return shown, counted, page


def expect_everywhere(w, status, readers, answers, absent=(), what=""):
    shown, counted, page = everywhere(w, status, readers)
    expect(shown, {name: sorted(answers) for name in shown}, what)
    expect(counted, len(answers), f"how many are counted, {what}")
    for words in absent:
        if words in page:
            raise Wrong(f"the page shows {words!r}, {what}")


def audience(w, policy):
    """ann, who writes for few; a follower and somebody else of the peer; and who reads her thread here and elsewhere."""
    ann, eve, vic = w.here.person("ann"), w.here.person("eve"), w.there.person("vic")
    pia, pol = w.peer.user("pia"), w.peer.user("pol")
    pia.do("follow", target=ann.handle)
    eventually("followed", lambda: pia.state()["following"].get(ann.uri) == "accepted")
    for handle in (ann.handle, pia.handle, pol.handle):
        account = vic.follow(handle)
        eventually(f"{vic.name} follows {handle}", lambda: vic.relation(account)["following"])
    said = ann.say("a question for few", reply_policy=policy)
    w.peer.wait(type="Create", object=said["uri"])
    readers = {"eve": (eve, said), "vic": (vic, vic.at_home(said["uri"]))}
    return ann, pia, pol, said, readers


def waiting(person, uri):
    """The answer of that id, as soon as it waits for that person."""
    return eventually(f"{uri} waits for {person.name}", lambda: next(
        (s for s in person.get("/api/dunlin/v1/pending_replies") if s["uri"] == uri), None))


def decide(person, said, answer, what):
    person.post(f"/api/dunlin/v1/statuses/{said['id']}/replies/{answer['id']}/{what}")


def answered(w, kind, uri):
    return [got["json"] for got in w.peer.received(type=kind, contains=uri)]


def s46_an_answer_of_theirs_waits_is_approved_hidden_and_shown_again(w):
    ann, pia, _, said, readers = audience(w, "mentioned")
    rule = ask("GET", said["uri"], headers=ACTIVITY).json["interactionPolicy"]["canReply"]
    expect((as_list(rule["automaticApproval"]), as_list(rule["manualApproval"])), ([ann.uri], [PUBLIC]), "the policy")
    seen = w.peer.do("resolve", target=said["uri"])["interactionPolicy"]["canReply"]
    expect(as_list(seen["automaticApproval"]), [ann.uri], "the policy as the peer reads it")

    made = pia.post("an answer that waits", inReplyTo=said["uri"])["id"]
    answer = waiting(ann, made)
    w.idle()
    expect(answered(w, "Accept", made) + answered(w, "Reject", made), [], "what is said before she decides")
    expect(below(ann, said), [made], "what its author sees")
    expect_everywhere(w, said, readers, [], ["an answer that waits"], "while it waits")

    decide(ann, said, answer, "approve")
    told = w.peer.wait(type="Accept", contains=made)[0]["json"]
    expect((told["actor"], told["object"]), (ann.uri, made))
    leave = w.peer.do("resolve", target=told["result"])
    expect((leave["type"], leave["id"], leave["attributedTo"], leave["interactingObject"], leave["interactionTarget"]),
           ("ReplyAuthorization", told["result"], ann.uri, made, said["uri"]), "as the peer reads the authorization")
    # Elsewhere it stands in the thread once it names what its author was given.
    note = w.peer.do("resolve", target=made)
    inbox = w.there.origin + "/inbox"
    sent = {"@context": AS, "id": made + "#named", "type": "Update", "actor": pia.uri, "to": [PUBLIC],
            "object": {"id": made, "type": "Note", "attributedTo": pia.uri, "to": [PUBLIC], "cc": [pia.uri + "/followers"],
                       "content": note["content"], "inReplyTo": said["uri"], "replyAuthorization": told["result"]}}
    expect(pia.do("raw", inbox=inbox, activity=sent)["status"], 202)
    vic, known = readers["vic"]
    eventually("it stands in the thread there", lambda: below(vic, known) == [made])
    expect_everywhere(w, said, readers, [made], what="once approved")

    decide(ann, said, answer, "hide")
    end = w.peer.wait(type="Delete", contains=told["result"])[0]["json"]
    expect((end["object"]["id"], end["object"]["type"]), (told["result"], "ReplyAuthorization"))
    expect(ask("GET", told["result"], headers=ACTIVITY).status, 404)
    eventually("it is gone there", lambda: below(vic, known) == [])
    w.idle()
    expect_everywhere(w, said, readers, [], ["an answer that waits"], "while it is hidden")

    decide(ann, said, answer, "unhide")
    w.peer.wait(type="Accept", contains=made, count=2)
    expect(ask("GET", told["result"], headers=ACTIVITY).status, 200)
    expect(below(readers["eve"][0], said), [made], "once it is shown again")


def s46_no_server_can_bring_a_refused_answer_back(w):
    ann, pia, pol, said, readers = audience(w, "followers")
    words = "an answer that nobody wants"
    made = pol.post(words, inReplyTo=said["uri"])["id"]
    decide(ann, said, waiting(ann, made), "refuse")
    expect(w.peer.wait(type="Reject", contains=made)[0]["json"]["object"], made)
    w.idle()
    expect(below(ann, said), [])
    expect_everywhere(w, said, readers, [], [words], "once refused")

    note = {"id": made, "type": "Note", "attributedTo": pol.uri, "to": [PUBLIC], "cc": [pol.uri + "/followers"],
            "content": f"<p>{words}</p>", "inReplyTo": said["uri"], "published": "2030-01-01T00:00:00Z"}
    given = pia.post("an answer by a follower", inReplyTo=said["uri"])["id"]
    of_another = w.peer.wait(type="Accept", contains=given)[0]["json"]["result"]
    forged = w.peer.do("serve", path=f"/users/{pol.name}/replies-allowed/1", body={
        "@context": [AS, {"ReplyAuthorization": "https://gotosocial.org/ns#ReplyAuthorization"}],
        "id": f"{pol.uri}/replies-allowed/1", "type": "ReplyAuthorization", "attributedTo": ann.uri, "interactingObject": made,
        "interactionTarget": said["uri"]})["url"]
    named = lambda leave: note | {"replyAuthorization": leave, "approvedBy": leave, "updated": "2030-01-02T00:00:00Z"}
    attempts = {
        "said again": ("Create", note),
        "edited": ("Update", note | {"updated": "2030-01-01T01:00:00Z"}),
        "asked for": ("ReplyRequest", said["uri"], {"instrument": note}),
        "with an authorization that it made": ("Update", named(forged)),
        "with that of another answer": ("Update", named(of_another)),
        "with that number of hers": ("Update", named(of_another.rsplit("/", 1)[0] + "/1")),
        "repeated": ("Announce", made),
    }
    for number, (how, (kind, thing, *more)) in enumerate(attempts.items()):
        activity = {"@context": AS, "id": f"{pol.uri}#again-{number}", "type": kind, "actor": pol.uri, "to": [PUBLIC],
                    "cc": [ann.uri], "object": thing} | (more[0] if more else {})
        for server in (w.here, w.there):
            expect(pol.do("raw", inbox=server.origin + "/inbox", activity=activity)["status"], 202, how)
        w.idle()
        expect(below(ann, said), [given], f"what its author sees, {how}")
        shown, counted, page = everywhere(w, said, {"eve": readers["eve"]})
        expect((shown, counted), ({name: [given] for name in shown}, 1), how)
        if words in page:
            raise Wrong(f"the page shows it, {how}")
        expect(below(*readers["vic"]), [], f"elsewhere, {how}")
        expect(ann.get("/api/dunlin/v1/pending_replies"), [], how)
    expect(answered(w, "Accept", made), [], "nobody was told that it is approved")

    # Who looks for it finds a post, which answers nothing; and an answer to it does not bring it along.
    eve = readers["eve"][0]
    expect(eve.status(made)["in_reply_to_id"], None)
    behind = pia.post("I agree", inReplyTo=made)["id"]
    eventually("the answer to it is known", lambda: eve.find_status(behind))
    w.idle()
    expect(below(ann, said), [given])
    # Another attempt is another answer: it waits.
    once_more = pol.post(words, inReplyTo=said["uri"])["id"]
    waiting(ann, once_more)
    w.idle()
    expect(below(eve, said), [given])
    if words in ask("GET", said["url"], headers={"Accept": "text/html"}).body.decode():
        raise Wrong("the page shows what waits")


def s46_whom_nobody_may_answer_is_not_answered(w):
    ann, pia, _, said, readers = audience(w, "nobody")
    made = pia.post("an answer to nobody", inReplyTo=said["uri"])["id"]
    expect(w.peer.wait(type="Reject", contains=made)[0]["json"]["object"], made)
    w.idle()
    expect(below(ann, said), [])
    expect(ann.get("/api/dunlin/v1/pending_replies"), [])
    expect_everywhere(w, said, readers, [], ["an answer to nobody"])
    # She may ask: whom she mentions may answer.
    invited = ann.say(f"what do you think, {pia.handle}?", reply_policy="nobody")
    w.peer.wait(type="Create", object=invited["uri"])
    answer = pia.post("this", inReplyTo=invited["uri"])["id"]
    w.peer.wait(type="Accept", contains=answer)
    expect(below(readers["eve"][0], invited), [answer])


def s46_an_answer_of_ours_waits_for_its_author_elsewhere(w):
    ann, eve = w.here.person("ann"), w.here.person("eve")
    pia, pol = w.peer.user("pia"), w.peer.user("pol")
    account = ann.follow(pia.handle)
    eventually("accepted", lambda: ann.relation(account)["following"])
    def note(name, **rule):
        sent = create(pia, name, type="Note", content=f"to {name}", interactionPolicy={"canReply": rule})
        w.peer.do("serve", path=sent["object"]["id"][len(w.peer.origin):], body={"@context": AS} | sent["object"])
        expect(pia.do("raw", target=ann.handle, activity=sent)["status"], 202)
        return ann.at_home(sent["object"]["id"])
    asking = note("who-asks", automaticApproval=[pia.uri], manualApproval=[PUBLIC])
    closed = note("nobody", automaticApproval=[pia.uri])
    expect(ann.ask("POST", "/api/v1/statuses", {"status": "anyway", "in_reply_to_id": closed["id"]}).status, 422)

    answer = ann.say(f"{pia.handle} an answer", in_reply_to_id=asking["id"])
    first = w.peer.wait(type="Create", object=answer["uri"])[0]["json"]["object"]
    expect((first["inReplyTo"], first.get("replyAuthorization")), (asking["uri"], None))
    state = lambda: ann.get(f"/api/v1/statuses/{answer['id']}").get("reply_state")
    def says(kind, number, who=pia, **more):
        activity = {"@context": AS, "id": f"{who.uri}#{kind}-{number}", "type": kind, "actor": who.uri, "to": [ann.uri]} | more
        expect(who.do("raw", target=ann.handle, activity=activity)["status"], 202)
    expect((state(), below(eve, asking)), ("pending", []))
    leave = f"{pia.uri}/allowed/1"
    w.peer.do("serve", path=leave[len(w.peer.origin):], body={
        "@context": [AS, {"ReplyAuthorization": "https://gotosocial.org/ns#ReplyAuthorization"}], "id": leave,
        "type": "ReplyAuthorization", "attributedTo": pia.uri, "interactingObject": answer["uri"], "interactionTarget": asking["uri"]})
    says("Accept", 1, pol, object=answer["uri"], result=f"{pol.uri}/allowed/1")
    w.here.idle()
    expect((state(), below(eve, asking)), ("pending", []), "after somebody else has accepted it")
    says("Accept", 2, object=answer["uri"], result=leave)
    eventually("approved", lambda: state() is None)
    expect(below(eve, asking), [answer["uri"]])
    told = w.peer.wait(type="Update", contains=answer["uri"])[0]["json"]["object"]
    expect(told["replyAuthorization"], leave)
    says("Delete", 3, object=leave)
    eventually("taken back", lambda: state() == "pending")
    expect(below(eve, asking), [])
    says("Reject", 4, object=answer["uri"])
    eventually("refused", lambda: ann.get(f"/api/v1/statuses/{answer['id']}")["in_reply_to_id"] is None)
    w.here.idle()
    expect(below(ann, asking), [])
    if "an answer" not in ann.get(f"/api/v1/statuses/{answer['id']}")["content"]:
        raise Wrong("the words stay with who wrote them")


def s46_between_two_of_ours(w):
    ann, pia, _, _ = friends_of_ours(w)
    eve, vic = w.here.person("eve"), w.there.person("vic")
    said = ann.say("a question for few", reply_policy="mentioned")
    there = pia.at_home(said["uri"])
    expect(there["reply_policy"], "mentioned", "what is read of the policy there")
    for_all = {"eve": (eve, said), "vic": (vic, there)}
    answers = [pia.say(f"answer {n} to this", in_reply_to_id=there["id"]) for n in (1, 2)]
    one, two = (waiting(ann, answer["uri"]) for answer in answers)
    state = lambda answer: pia.get(f"/api/v1/statuses/{answer['id']}").get("reply_state")
    w.idle()
    expect([state(answer) for answer in answers], ["pending", "pending"])
    expect_everywhere(w, said, for_all, [], ["to this"], "while both wait")

    decide(ann, said, one, "approve")
    decide(ann, said, two, "refuse")
    eventually("approved there", lambda: state(answers[0]) is None)
    eventually("refused there", lambda: pia.get(f"/api/v1/statuses/{answers[1]['id']}")["in_reply_to_id"] is None)
    w.idle()
    expect_everywhere(w, said, for_all, [answers[0]["uri"]], ["answer 2"], "after the decisions")
    leave = ask("GET", answers[0]["uri"], headers=ACTIVITY).json["replyAuthorization"]
    if not leave.startswith(ann.uri + "/"):
        raise Wrong(f"authorization {leave!r}")

    decide(ann, said, one, "hide")
    eventually("taken back there", lambda: state(answers[0]) == "pending")
    w.idle()
    expect_everywhere(w, said, for_all, [], ["to this"], "while it is hidden")
    expect(ask("GET", leave, headers=ACTIVITY).status, 404)
    expect("replyAuthorization" in ask("GET", answers[0]["uri"], headers=ACTIVITY).json, False, "what it names")
    decide(ann, said, one, "unhide")
    eventually("approved there again", lambda: state(answers[0]) is None)
    w.idle()
    expect_everywhere(w, said, for_all, [answers[0]["uri"]], ["answer 2"], "once it is shown again")
    closed = pia.at_home(ann.say("for nobody", reply_policy="nobody")["uri"])
    expect(pia.ask("POST", "/api/v1/statuses", {"status": "anyway", "in_reply_to_id": closed["id"]}).status, 422)
