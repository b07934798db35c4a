# SPDX-License-Identifier: AGPL-3.0-or-later
"""Activities that mean harm: each is refused and leaves nothing behind. What is fetched and means harm: documents."""
import http.client
import json
import threading
import time

from scenarios_fedify import friends
from scenarios_posts import PUBLIC, create
from scenarios_relay import AS, Stage, brings, knows, shown_by, signed  # noqa: F401
from servers import Wrong, as_list, eventually, expect

NEEDS = "peer"


def act(user, kind, object, number, **more):
    return {"@context": AS, "id": f"{user.uri}#{kind}-{number}", "type": kind, "actor": user.uri, "object": object, "to": [PUBLIC],
            "cc": [user.uri + "/followers"]} | more


def bring(w, user, activity):
    return brings(user, w, json.dumps(activity))


def unharmed(w):
    w.dunlin.idle()
    expect(w.dunlin.healthy(), True)
    expect([line for line in w.dunlin.errors() if "Sanitizer" in line or "internal" in line], [])


def s38_nobody_speaks_for_others(w):
    ann, pia, account = friends(w)
    eve, pol = w.peer.user("eve"), w.other.user("pol")
    said = pia.post("as I said")["id"]
    status = ann.at_home(said)
    foreign = pol.uri + "/notes/1"
    def note(id, author, **more):
        return {"id": id, "type": "Note", "attributedTo": author, "content": "forged", "to": [PUBLIC]} | more
    made = {
        "an object of another host": act(pia, "Create", note(foreign, pol.uri), 1),
        "an object of another host as her own": act(pia, "Create", note(foreign + "2", pia.uri), 2),
        "an author of another host": act(pia, "Create", note(pia.uri + "/3", pol.uri), 3),
        "another author of the same host": act(pia, "Create", note(pia.uri + "/4", eve.uri), 4),
        "the id of another host": act(pia, "Create", note(pia.uri + "/5", pia.uri), 5) | {"id": pol.uri + "#5"},
        "two authors, the other first": act(pia, "Create", note(pia.uri + "/6", [eve.uri, pia.uri]), 6)}
    for name, sent in made.items():
        expect(bring(w, pia, sent), 202, name)
        w.dunlin.idle()
        expect(knows(w, sent["object"]["id"]), None, name)
    others = [
        (eve, act(eve, "Update", note(said, pia.uri, updated="2040-01-01T00:00:00Z"), 1)),
        (eve, act(eve, "Update", note(said, eve.uri, updated="2040-01-01T00:00:00Z"), 2)),
        (eve, act(eve, "Delete", said, 3)), (eve, act(eve, "Delete", {"type": "Tombstone", "id": said}, 4)),
        (eve, act(eve, "Delete", pia.uri, 5)), (pol, act(pol, "Delete", said, 6)), (pol, act(pol, "Delete", pia.uri, 7)),
        (eve, act(eve, "Undo", act(pia, "Follow", ann.uri, 1), 8)), (eve, act(eve, "Reject", act(ann_of(ann), "Follow", pia.uri, 1), 9)),
        (eve, act(eve, "Add", said, 10, target=pia.uri + "/featured")), (pia, act(pia, "Add", foreign, 11, target=pia.uri + "/featured")),
        (eve, act(eve, "Move", pia.uri, 12, target=eve.uri)), (eve, act(eve, "Block", ann.uri, 13) | {"actor": pia.uri})]
    for who, sent in others:
        if bring(w, who, sent) not in (202, 401):
            raise Wrong(f"{sent['type']} was answered otherwise")
    w.dunlin.idle()
    expect(ann.get(f"/api/v1/statuses/{status['id']}")["content"], "<p>as I said</p>")
    expect(ann.get(f"/api/v1/accounts/{account['id']}/statuses", pinned="true"), [])
    relation = ann.relation(account)
    expect((relation["following"], relation["followed_by"], relation["blocked_by"]), (True, True, False))
    expect(ann.get(f"/api/v1/accounts/{account['id']}").get("moved"), None)
    unharmed(w)


class ann_of:
    """Somebody of ours, as far as an activity names them."""

    def __init__(self, person):
        self.uri = person.uri


def s38_boosts_show_what_the_author_shows(w):
    ann, pia, _ = friends(w)
    pol = w.other.user("pol")
    made = pol.post("real words")["id"]
    forged = {"id": made, "type": "Note", "attributedTo": pol.uri, "content": "forged", "to": [PUBLIC]}
    expect(bring(w, pia, act(pia, "Announce", forged, 1)), 202)
    expect(ann.at_home(made)["reblog"]["content"], "<p>real words</p>")
    nowhere = forged | {"id": pol.uri + "/notes/nowhere"}
    expect(bring(w, pia, act(pia, "Announce", nowhere, 2)), 202)
    private = pol.post("among us", visibility="private")["id"]
    expect(bring(w, pia, act(pia, "Announce", forged | {"id": private}, 3)), 202)
    w.dunlin.idle()
    expect((knows(w, nowhere["id"]), knows(w, private)), (None, None))
    unharmed(w)


def post(w, url, headers, body):
    """The status of a POST whose headers are a list of pairs, sent as they are."""
    connection = http.client.HTTPConnection("127.0.0.1", w.dunlin.port, timeout=20)
    connection.putrequest("POST", url[len(w.dunlin.origin):], skip_host=True, skip_accept_encoding=True)
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders(body.encode())
    try:
        return connection.getresponse().status
    finally:
        connection.close()


def s38_signatures_are_good_for_one_request(w):
    ann, pia, _ = friends(w)
    bob = w.dunlin.person("bob")
    inbox = ann.uri + "/inbox"
    for spec in ("draft-cavage-http-signatures-12", "rfc9421"):
        sent = create(pia, f"once-{spec}", type="Note", content="once", to=[ann.uri], cc=[])
        first = pia.do("raw", inbox=inbox, activity=sent, spec=spec)
        expect(first["status"], 202)
        ann_has = lambda: len(w.dunlin.rows("SELECT 1 FROM statuses WHERE uri = ?", sent["object"]["id"]))
        eventually("here", lambda: ann_has() == 1)
        headers = [(n, v) for n, v in first["requestHeaders"].items() if n not in ("content-length", "connection")]
        headers = [("content-length", str(len(first["sent"])))] + [(n, v) for n, v in headers if n != "host"]
        host = ("host", w.dunlin.host)
        cases = {
            "as it was": (inbox, [host], (202,)), "to another inbox": (bob.uri + "/inbox", [host], (401,)),
            "to all": (w.dunlin.origin + "/inbox", [host], (401,)),
            "two signatures": (inbox, [host, ("signature", dict(headers)["signature"])], (400, 401)),
            "two dates": (inbox, [host, ("date", "Thu, 01 Jan 2026 00:00:00 GMT")], (400, 401) if spec[0] == "d" else (202, 400, 401)),
            "two lengths": (inbox, [host, ("content-length", "3")], (400,))}
        for name, (url, more, wanted) in cases.items():
            got = post(w, url, more + headers, first["sent"])
            if got not in wanted:
                raise Wrong(f"{spec}, {name}: {got}")
        w.dunlin.idle()
        expect(ann_has(), 1)
    expect(ann.notifications("mention") + bob.notifications("mention"), [])
    unharmed(w)


def s38_signatures_that_cover_too_little(w):
    ann, pia, _ = friends(w)
    for number, components in enumerate((["@method"], ["@method", "@target-uri"], ["@method", "content-digest"], ["@target-uri", "content-digest"],
                                         ["@authority", "content-digest"])):
        sent = create(pia, f"bare-{number}", type="Note", content="bare", to=[ann.uri], cc=[])
        answer = pia.peer.do("raw", user=pia.name, target=ann.handle, activity=sent, spec="rfc9421",
                             rfc9421={"components": [{"value": c, "params": {}} for c in components]})
        if answer["status"] not in (400, 401):
            # The library covers more than it is told to: then nothing was tried.
            covered = answer["requestHeaders"]["signature-input"]
            if all(f'"{c}"' in covered for c in ("@method", "@target-uri", "content-digest")):
                continue
            raise Wrong(f"{covered} was answered with {answer['status']}")
        w.dunlin.idle()
        expect(knows(w, sent["object"]["id"]), None)
    unharmed(w)


def s38_documents_that_say_one_thing_and_sign_another(w):
    ann, pia, _ = friends(w)
    pol = w.other.user("pol")
    def note(number):
        return create(pia, f"ld-{number}", type="Note", content="signed")
    graph = note(1)
    graph = {"@context": AS, "@graph": [{k: v for k, v in graph.items() if k != "@context"}], "id": graph["id"], "type": "Create",
             "actor": pia.uri, "object": {"id": graph["object"]["id"], "type": "Note"}}
    aliased = note(2) | {"@context": [AS, {"said": "as:content"}]}
    aliased["object"] = {k: v for k, v in aliased["object"].items() if k != "content"} | {"said": "signed", "content": "forged"}
    reversed_ = note(3)
    reversed_["object"]["@reverse"] = {"as:object": {"id": pol.uri}}
    for sent in (graph, aliased, reversed_):
        text = json.loads(signed(pia, sent)) if sent is not aliased else json.loads(signed(pia, sent | {
            "object": {k: v for k, v in sent["object"].items() if k != "content"}}))
        if sent is aliased:
            text["object"]["content"] = "forged"
        expect(brings(pol, w, json.dumps(text)), 202)
        w.dunlin.idle()
        expect(knows(w, f"{pia.uri}/ld-{(graph, aliased, reversed_).index(sent) + 1}"), None)
    # The words are those of the signature, under whatever name; a context that nobody knows voids it.
    unknown = json.loads(signed(pia, note(4)))
    unknown["@context"] = [AS, w.other.origin + "/context"]
    w.other.do("serve", path="/context", body={"@context": {"content": "https://example.org/other"}},
               headers={"content-type": "application/ld+json"})
    expect(brings(pol, w, json.dumps(unknown)), 202)
    w.dunlin.idle()
    expect(knows(w, f"{pia.uri}/ld-4"), None)
    expect(w.other.see("requests", path="/context"), [], "contexts are not fetched")
    unharmed(w)


def s38_bodies_that_are_too_much(w):
    ann, pia, _ = friends(w)
    sent = create(pia, "large", type="Note", content="x" * (1 << 20))
    expect(bring(w, pia, sent), 413)
    deep = json.dumps(create(pia, "deep", type="Note", content="deep"))
    for open, close in (('{"a":', "}"), ("[", "]")):
        text = deep[:-1] + ',"deep":' + open * 10_000 + "1" + close * 10_000 + "}"
        got = brings(pia, w, text)
        if got not in (202, 400):
            raise Wrong(f"deep nesting was answered with {got}")
    w.dunlin.idle()
    expect((knows(w, pia.uri + "/large"), knows(w, pia.uri + "/deep")), (None, None))
    for odd in ("", "[]", "null", "1", '"x"', "{", '{"@context":1}', "{}", '{"type":["Create"],"actor":[],"object":{}}', "\ud7ff\0"):
        got = brings(pia, w, odd)
        if not 200 <= got < 500:
            raise Wrong(f"{odd!r} was answered with {got}")
    unharmed(w)


def s38_names_with_markup(w):
    ann, pia, _ = friends(w)
    evil = "<script>x()</script>"
    sent = create(pia, "markup", type="Question", content=f"<p>which?{evil}<img src=x onerror=x()></p>", summary=evil, name=evil,
                  oneOf=[{"type": "Note", "name": f"{evil}{i}", "replies": {"type": "Collection", "totalItems": -5}} for i in range(2)],
                  tag=[{"type": "Hashtag", "name": "#" + evil, "href": "javascript:x()"},
                       {"type": "Emoji", "name": f":{evil}:", "icon": {"type": "Image", "url": "javascript:x()"}},
                       {"type": "Mention", "href": "javascript:x()", "name": evil}],
                  attachment=[{"type": "Document", "mediaType": "text/html", "url": "javascript:x()", "name": evil}],
                  url="javascript:x()")
    expect(bring(w, pia, sent), 202)
    got = ann.at_home(sent["object"]["id"])
    shown = json.dumps([got["content"], got["tags"], got["emojis"], got["mentions"], got["media_attachments"], got["url"]])
    if any(word in shown for word in ("<script", "<img", "javascript:")):
        raise Wrong(shown)
    expect([o["votes_count"] >= 0 for o in got["poll"]["options"]], [True, True])
    page = w.dunlin.origin + f"/@{pia.handle[1:]}/{got['id']}"
    w.peer.do("serve", path=f"/users/{pia.name}", body={
        "@context": AS, "id": pia.uri, "type": "Person", "preferredUsername": pia.name, "inbox": pia.uri + "/inbox",
        "outbox": pia.uri + "/outbox", "followers": pia.uri + "/followers", "url": "javascript:x()", "name": evil,
        "summary": f"<p>hello{evil}</p>", "icon": {"type": "Image", "url": "javascript:x()"},
        "attachment": [{"type": "PropertyValue", "name": evil, "value": f"<a href=\"javascript:x()\">{evil}</a>"}],
        "publicKey": w.peer.do("resolve", target=pia.uri)["publicKey"]})
    expect(bring(w, pia, act(pia, "Update", pia.uri, 1)), 202)
    account = eventually("the new name", lambda: next(
        (a for a in [ann.get(f"/api/v1/accounts/{got['account']['id']}")] if a["note"] == "<p>hello</p>"), None))
    if "javascript" in json.dumps(account):
        raise Wrong(json.dumps(account))
    expect(account["fields"][0]["value"].count("script"), 0)
    expect(page.count("script"), 0)
    unharmed(w)


def s38_many_mentions_ask_for_few(w):
    ann, pia, _ = friends(w)
    before = w.other.see("requests")[-1:]
    tags = [{"type": "Mention", "href": f"{w.other.origin}/users/nobody-{i}", "name": f"@nobody-{i}"} for i in range(2000)]
    sent = create(pia, "bomb", type="Note", content="hello all", tag=tags, cc=[t["href"] for t in tags])
    expect(bring(w, pia, sent), 202)
    ann.at_home(sent["object"]["id"])
    w.dunlin.idle()
    asked = [r for r in w.other.see("requests") if "/nobody-" in r["path"] and r["n"] > (before[0]["n"] if before else 0)]
    if len(asked) > 20:
        raise Wrong(f"{len(asked)} requests for one post")
    people = [w.peer.user("many")]
    tags = [{"type": "Mention", "href": p.uri} for p in people] + [{"type": "Mention", "href": ann.uri}] * 500
    sent = create(pia, "again", type="Note", content="hello", tag=tags)
    expect(bring(w, pia, sent), 202)
    expect(len(ann.at_home(sent["object"]["id"])["mentions"]) <= 2, True)
    expect(len(ann.notifications("mention")), 1)
    unharmed(w)


def s38_floods_of_reports_end(w):
    ann, pia, _ = friends(w)
    def count():
        return w.dunlin.rows("SELECT count(*) FROM reports WHERE target_id = ?", ann.id)[0][0]
    now, account = int(time.time() * 1000), ann.account(pia.handle)["id"]
    w.dunlin.change("INSERT INTO reports (id, account_id, target_id, category, comment, created_at, updated_at) "
                    "VALUES (?, ?, ?, 'other', '', ?, ?)", [((now << 16) + i, account, ann.id, now, now) for i in range(398)])
    for i in range(6):
        expect(bring(w, pia, act(pia, "Flag", [ann.uri], i, content=f"bad {i}")), 202)
    w.dunlin.idle()
    expect(count(), 400)
    unharmed(w)


def s38_one_post_through_all_doors_at_once(w):
    ann, pia, _ = friends(w)
    sent = create(pia, "everywhere", type="Note", content="hello", tag=[{"type": "Mention", "href": ann.uri}])
    doors = [w.dunlin.origin + "/inbox", ann.uri + "/inbox", f"{w.dunlin.origin}/users/{ann.name}/inbox"]
    answers = []
    def through(door, activity):
        answers.append(pia.do("raw", inbox=door, activity=activity)["status"])
    threads = [threading.Thread(target=through, args=(door, sent | {"id": f"{sent['id']}-{n % 2}"}))
               for n, door in enumerate(doors * 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(set(answers), {202})
    ann.at_home(sent["object"]["id"])
    w.dunlin.idle()
    expect(len([s for s in ann.home() if s["uri"] == sent["object"]["id"]]), 1)
    expect(len(ann.notifications("mention")), 1)
    expect(w.dunlin.rows("SELECT count(*) FROM statuses WHERE uri = ?", sent["object"]["id"]), [(1,)])
    unharmed(w)
