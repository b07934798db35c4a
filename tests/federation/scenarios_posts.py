# SPDX-License-Identifier: AGPL-3.0-or-later
"""What posts can be, with the scriptable peer."""
from scenarios_fedify import Stage, friends  # noqa: F401
from servers import Wrong, as_list, eventually, expect

NEEDS = "peer"
PUBLIC = "https://www.w3.org/ns/activitystreams#Public"


def create(user, id, **object):
    """The activity that makes an object of that user."""
    object = {"id": f"{user.uri}/{id}", "attributedTo": user.uri, "to": [PUBLIC], "cc": [user.uri + "/followers"]} | object
    return {"@context": "https://www.w3.org/ns/activitystreams", "id": object["id"] + "#create", "type": "Create",
            "actor": user.uri, "to": object["to"], "cc": object["cc"], "object": object}


def s23_what_a_note_carries_in(w):
    ann, pia, _ = friends(w)
    emoji = w.peer.do("serve", path=f"/emoji/{pia.name}.png", body="", headers={"content-type": "image/png"})["url"]
    made = pia.post(":party: #Brot", summary="food", sensitive=True, language="de", hashtags=["Brot"],
                    emojis=[{"shortcode": "party", "url": emoji}],
                    attachments=[{"type": "Image", "mediaType": "image/png", "url": f"/pictures/{i}.png",
                                  "description": f"picture {i}", "width": 30, "height": 20} for i in range(6)])
    got = ann.at_home(made["id"])
    expect((got["spoiler_text"], got["sensitive"], got["language"]), ("food", True, "de"))
    expect([t["name"].lower() for t in got["tags"]], ["brot"])
    expect([e["shortcode"] for e in got["emojis"]], ["party"])
    descriptions = [m["description"] for m in got["media_attachments"]]
    if descriptions[:4] != [f"picture {i}" for i in range(4)]:
        raise Wrong(f"media {descriptions}")


def s23_what_a_note_carries_out(w):
    ann, pia, _ = friends(w)
    said = ann.say("#Tea for two", spoiler_text="drinks", language="en")
    got = w.peer.wait(type="Create", object=said["uri"])[0]["json"]["object"]
    expect((got["summary"], got["sensitive"], list(got["contentMap"])), ("drinks", True, ["en"]))
    expect([t["name"].lower() for t in as_list(got["tag"]) if t["type"] == "Hashtag"], ["#tea"])


def s23_other_kinds_of_objects(w):
    ann, pia, _ = friends(w)
    kinds = {
        "Article": {"name": "A title", "content": "<p>Long words</p>", "url": pia.uri + "/page"},
        "Page": {"name": "A link", "content": "<p>see</p>", "url": pia.uri + "/page"},
        "Event": {"name": "A party", "startTime": "2030-01-01T10:00:00Z", "url": pia.uri + "/page"},
        "Video": {"name": "A film", "url": [{"type": "Link", "mediaType": "text/html", "href": pia.uri + "/film"},
                                            {"type": "Link", "mediaType": "video/mp4", "href": pia.uri + "/film.mp4"}]}}
    for kind, facts in kinds.items():
        sent = create(pia, f"a-{kind}", type=kind, published="2026-01-01T00:00:00Z", **facts)
        expect(pia.do("raw", target=ann.handle, activity=sent)["status"], 202)
        eventually(f"{kind} is found", lambda: ann.find_status(sent["object"]["id"]))
        got = ann.status(sent["object"]["id"])
        if facts["name"] not in got["content"] or pia.uri not in got["content"]:
            raise Wrong(f"{kind} became {got['content']!r}")


def s24_polls_of_others(w):
    ann, pia, _ = friends(w)
    for multiple in (False, True):
        made = pia.post("which?", poll={"options": ["tea", "coffee", "water"], "multiple": multiple, "expiresIn": 600})
        poll = ann.at_home(made["id"])["poll"]
        expect(([o["title"] for o in poll["options"]], poll["multiple"]), (["tea", "coffee", "water"], multiple))
        choices = [1, 2] if multiple else [1]
        ann.post(f"/api/v1/polls/{poll['id']}/votes", choices=choices)
        eventually("the vote arrived", lambda: len(w.peer.received(type="Create", contains=made["id"], actor=ann.uri)) == len(choices))
        pia.do("poll-update", id=made["id"])
        wanted = [int(i in choices) for i in range(3)]
        eventually("tallies came back", lambda: [o["votes_count"] for o in ann.get(f"/api/v1/polls/{poll['id']}")["options"]] == wanted)
        expect(ann.ask("POST", f"/api/v1/polls/{poll['id']}/votes", {"choices": [1]}).status, 422)


def s24_polls_of_ours(w):
    ann, pia, _ = friends(w)
    said = ann.say("which?", poll={"options": ["tea", "coffee"], "expires_in": 300})
    w.peer.wait(type="Create", object=said["uri"])
    def tallies():
        return [o["votes_count"] for o in ann.get(f"/api/v1/polls/{said['poll']['id']}")["options"]]
    pia.do("vote", target=said["uri"], choice="coffee")
    eventually("counted", lambda: tallies() == [0, 1])
    pia.do("vote", target=said["uri"], choice="tea")
    pia.do("vote", target=said["uri"], choice="coffee")
    w.dunlin.idle()
    expect(tallies(), [0, 1], "after voting again")
    expect(ann.notifications("mention"), [], "votes are no posts")


def s24_a_poll_ends(w):
    ann, pia, _ = friends(w)
    made = pia.post("quick?", poll={"options": ["yes", "no"], "expiresIn": 600})
    poll = ann.at_home(made["id"])["poll"]
    ann.post(f"/api/v1/polls/{poll['id']}/votes", choices=[0])
    w.peer.wait(type="Create", actor=ann.uri, contains=made["id"])
    pia.do("poll-update", id=made["id"], close=True)
    eventually("ended", lambda: ann.get(f"/api/v1/polls/{poll['id']}")["expired"])
    ann.notified("poll")


def s26_pins_by_add_and_remove(w):
    ann, pia, account = friends(w)
    made = pia.post("pin me")
    ann.at_home(made["id"])
    def pinned():
        return [s["uri"] for s in ann.get(f"/api/v1/accounts/{account['id']}/statuses", pinned="true")]
    pia.do("pin", id=made["id"])
    eventually("pinned", lambda: pinned() == [made["id"]])
    pia.do("unpin", id=made["id"])
    eventually("not pinned", lambda: pinned() == [])
    ours = ann.say("pin me, too")
    ann.post(f"/api/v1/statuses/{ours['id']}/pin")
    add = w.peer.wait(type="Add", actor=ann.uri)[0]["json"]
    expect(add["target"], ann.uri + "/collections/featured")
    expect(w.peer.do("collection", target=add["target"])["items"], [ours["uri"]])
    ann.post(f"/api/v1/statuses/{ours['id']}/unpin")
    w.peer.wait(type="Remove", actor=ann.uri)


def s26_pins_fetched(w):
    ann, pia = w.dunlin.person("ann"), w.peer.user("pia")
    made = pia.post("pinned before anybody looked")
    pia.do("pin", id=made["id"])
    account = ann.account(pia.handle)
    eventually("pinned", lambda: [s["uri"] for s in ann.get(f"/api/v1/accounts/{account['id']}/statuses", pinned="true")] == [made["id"]])


def s37_a_thread_is_read_from_its_server(w):
    ann, pia, _ = friends(w)
    here = pia.uri + "/notes/thread"
    path = here[len(w.peer.origin):]
    def note(name, **more):
        found = create(pia, name, type="Note", content=name, published="2026-01-01T00:00:00Z", **more)["object"]
        w.peer.do("serve", path=found["id"][len(w.peer.origin):], body={"@context": "https://www.w3.org/ns/activitystreams"} | found)
        return found
    replies = [note(f"reply-{i}", inReplyTo=here)["id"] for i in range(5)]
    foreign = "http://127.0.0.1:9/users/nobody/notes/1"
    page = path + "/replies/2"
    w.peer.do("serve", path=page, body={
        "@context": "https://www.w3.org/ns/activitystreams", "id": w.peer.origin + page, "type": "CollectionPage",
        "partOf": here + "/replies", "items": replies[3:] + [foreign], "next": w.peer.origin + page})
    first = {"type": "CollectionPage", "partOf": here + "/replies", "items": replies[:3], "next": w.peer.origin + page}
    collection = {"id": here + "/replies", "type": "Collection", "first": first}
    w.peer.do("serve", path=path + "/replies", body={"@context": "https://www.w3.org/ns/activitystreams"} | collection)
    note("notes/thread", replies=collection)
    status = ann.status(here)
    def seen():
        return sorted(s["uri"] for s in ann.get(f"/api/v1/statuses/{status['id']}/context")["descendants"])
    seen()
    eventually("all answers are here", lambda: seen() == sorted(replies))


def s42_collections_can_be_read(w):
    ann, pia, _ = friends(w)
    said = [ann.say(f"number {i}")["uri"] for i in range(3)]
    ann.say("not for all", visibility="private")
    outbox = w.peer.do("collection", target=ann.uri + "/outbox")
    expect(outbox["items"], [uri + "/activity" for uri in reversed(said)])
    followers = w.peer.do("collection", target=ann.uri + "/followers")
    expect((followers["totalItems"], followers["items"]), (1, [pia.uri]))
    ann.patch("/api/v1/accounts/update_credentials", hide_collections=True)
    hidden = w.peer.do("collection", target=ann.uri + "/followers")
    expect((hidden["totalItems"], hidden["items"]), (1, []))
