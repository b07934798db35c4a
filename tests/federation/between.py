# SPDX-License-Identifier: AGPL-3.0-or-later
"""Scenarios between people of two servers that both offer the client API: `w.here` is ours, `w.there` another one."""
from servers import Wrong, as_list, ask, eventually, expect


def friends(w):
    """One here and one there who follow each other, and the account of each as the other sees it."""
    ann, pia = w.here.person("ann"), w.there.person("pia")
    pia_here, ann_there = ann.follow(pia.handle), pia.follow(ann.handle)
    eventually(f"{ann.name} follows {pia.name}", lambda: ann.relation(pia_here)["following"])
    eventually(f"{pia.name} follows {ann.name}", lambda: ann.relation(pia_here)["followed_by"])
    eventually(f"{pia.name} knows", lambda: pia.relation(ann_there)["following"] and pia.relation(ann_there)["followed_by"])
    return ann, pia, pia_here, ann_there


def s17_each_finds_the_other_by_handle_and_by_address(w):
    ann = w.here.person("ann", display_name="Ann Other", note="Likes tea.")
    pia = w.there.person("pia", display_name="Pia Peer", note="Bakes.")
    for one, other, name, note in ((ann, pia, "Pia Peer", "Bakes."), (pia, ann, "Ann Other", "Likes tea.")):
        found = one.account(other.handle)
        expect(one.account(other.uri)["id"], found["id"], "found by address")
        expect(found["acct"], other.handle[1:], "handle")
        expect(found["display_name"], name)
        if note not in found["note"]:
            raise Wrong(f"note {found['note']!r}")


def s18_follow_accept_both_ways(w):
    ann, pia, pia_here, ann_there = friends(w)
    ann.notified("follow", pia.uri)
    pia.notified("follow")
    ann.post(f"/api/v1/accounts/{pia_here['id']}/unfollow")
    eventually("unfollowed", lambda: not pia.relation(ann_there)["followed_by"])
    pia.post(f"/api/v1/accounts/{ann_there['id']}/unfollow")
    eventually("unfollowed", lambda: not ann.relation(pia_here)["followed_by"])


def s18_locked_accounts_decide(w):
    ann, pia = w.here.person("ann", locked=True), w.there.person("pia", locked=True)
    for one, other in ((ann, pia), (pia, ann)):
        account = one.follow(other.handle)
        asking = other.notified("follow_request")["account"]
        expect(one.relation(account)["following"], False)
        other.post(f"/api/v1/follow_requests/{asking['id']}/authorize")
        eventually("accepted", lambda: one.relation(account)["following"])


def s18_followers_can_be_removed(w):
    ann, pia, pia_here, ann_there = friends(w)
    ann.post(f"/api/v1/accounts/{pia_here['id']}/remove_from_followers")
    eventually("removed", lambda: not pia.relation(ann_there)["following"])


def s19_audiences(w):
    ann, pia, _, _ = friends(w)
    for one, other in ((ann, pia), (pia, ann)):
        for visibility in ("public", "unlisted", "private", "direct"):
            text = f"for {visibility}" + (f" {other.handle}" if visibility == "direct" else "")
            said = one.say(text, visibility=visibility)
            expect(said["visibility"], visibility)
            if visibility == "direct":
                got = other.notified("mention")["status"]
                expect(got["uri"], said["uri"])
            else:
                got = other.at_home(said["uri"])
            expect(got["visibility"], visibility, f"what {other.name} sees")


def s20_replies_and_mentions(w):
    ann, pia, _, _ = friends(w)
    for one, other in ((ann, pia), (pia, ann)):
        first = one.say("a question")
        there = other.at_home(first["uri"])
        answer = other.say(f"{one.handle} an answer", in_reply_to_id=there["id"])
        got = eventually("answered", lambda: next(
            (n["status"] for n in one.notifications("mention") if (n.get("status") or {}).get("uri") == answer["uri"]), None))
        expect(got["in_reply_to_id"], first["id"])
        thread = one.get(f"/api/v1/statuses/{first['id']}/context")
        expect([s["uri"] for s in thread["descendants"]], [answer["uri"]])


def s21_boosts_and_likes(w):
    ann, pia, _, _ = friends(w)
    for one, other in ((ann, pia), (pia, ann)):
        said = one.say("like me")
        there = other.at_home(said["uri"])
        def counts():
            now = one.get(f"/api/v1/statuses/{said['id']}")
            return now["favourites_count"], now["reblogs_count"]
        other.post(f"/api/v1/statuses/{there['id']}/favourite")
        one.notified("favourite")
        other.post(f"/api/v1/statuses/{there['id']}/reblog")
        one.notified("reblog")
        expect(counts(), (1, 1))
        other.post(f"/api/v1/statuses/{there['id']}/unfavourite")
        other.post(f"/api/v1/statuses/{there['id']}/unreblog")
        eventually("both taken back", lambda: counts() == (0, 0))


def s22_edits_with_history(w):
    ann, pia, _, _ = friends(w)
    bob = w.there.person("bob")
    said = ann.say("frist words")
    there = pia.at_home(said["uri"])
    pia.post(f"/api/v1/statuses/{there['id']}/reblog")
    ann.notified("reblog")
    ann.put(f"/api/v1/statuses/{said['id']}", status=f"first words {bob.handle}", spoiler_text="careful")
    eventually("edited", lambda: "first words" in pia.get(f"/api/v1/statuses/{there['id']}")["content"])
    seen = pia.get(f"/api/v1/statuses/{there['id']}")
    expect((seen["spoiler_text"], bool(seen["edited_at"])), ("careful", True))
    history = pia.get(f"/api/v1/statuses/{there['id']}/history")
    expect(["frist" in h["content"] for h in history], [True, False])
    pia.notified("update", ann.uri)
    bob.notified("mention", ann.uri)


def s22_deletes_vanish_with_their_boosts(w):
    ann, pia, _, _ = friends(w)
    for one, other in ((ann, pia), (pia, ann)):
        said = one.say("gone soon")
        there = other.at_home(said["uri"])
        other.post(f"/api/v1/statuses/{there['id']}/reblog")
        one.notified("reblog")
        one.delete(f"/api/v1/statuses/{said['id']}")
        eventually("gone", lambda: other.ask("GET", f"/api/v1/statuses/{there['id']}").status == 404)
        expect([s for s in other.home() if s["reblog"] and s["reblog"]["uri"] == said["uri"]], [], "boosts of it")
        answer = ask("GET", said["uri"], headers={"Accept": "application/activity+json"})
        if answer.status not in (404, 410):
            raise Wrong(f"a deleted post answers {answer.status}")


def s23_warnings_languages_and_hashtags(w):
    ann, pia, _, _ = friends(w)
    for one, other in ((ann, pia), (pia, ann)):
        said = one.say("Über #Brot und #Tee", spoiler_text="food", sensitive=True, language="de")
        got = other.at_home(said["uri"])
        expect((got["spoiler_text"], got["sensitive"], got["language"]), ("food", True, "de"))
        expect(sorted(t["name"].lower() for t in got["tags"]), ["brot", "tee"])


def s23_media_with_their_descriptions(w):
    ann, pia, _, _ = friends(w)
    medium = ann.upload(picture(), description="a red square", focus="0.5,-0.5")
    said = ann.say("look", media_ids=[medium["id"]])
    got = pia.at_home(said["uri"])["media_attachments"]
    expect([(m["type"], m["description"]) for m in got], [("image", "a red square")])
    if not got[0]["blurhash"]:
        raise Wrong("no blurhash")
    expect(got[0]["meta"]["focus"], {"x": 0.5, "y": -0.5})
    picture_there = ask("GET", ask("GET", got[0]["url"]).headers["Location"])
    expect((picture_there.status, picture_there.headers["Content-Type"]), (200, "image/png"), got[0]["url"])


def picture():
    """A red square of 16 by 16 as PNG."""
    import struct
    import zlib
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"\xff\0\0" * 16 for _ in range(16))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def s24_polls_count_everywhere(w):
    ann, pia, _, _ = friends(w)
    for multiple in (False, True):
        said = ann.say("which?", poll={"options": ["tea", "coffee", "water"], "expires_in": 600, "multiple": multiple})
        there = pia.at_home(said["uri"])["poll"]
        expect(([o["title"] for o in there["options"]], there["multiple"], there["expired"]),
               (["tea", "coffee", "water"], multiple, False))
        choices = [0, 2] if multiple else [1]
        pia.post(f"/api/v1/polls/{there['id']}/votes", choices=choices)
        wanted = [int(i in choices) for i in range(3)]
        eventually("counted here", lambda: [o["votes_count"] for o in ann.get(f"/api/v1/polls/{said['poll']['id']}")["options"]] == wanted)
        ann_sees = ann.get(f"/api/v1/polls/{said['poll']['id']}")
        expect((ann_sees["votes_count"], ann_sees["voters_count"]), (sum(wanted), 1 if multiple else ann_sees["voters_count"]))
        again = pia.ask("POST", f"/api/v1/polls/{there['id']}/votes", {"choices": [0]})
        expect(again.status, 422, "a second vote")


def s26_pins_are_told(w):
    ann, pia, _, ann_there = friends(w)
    said = ann.say("pin me")
    there = pia.at_home(said["uri"])
    def pinned():
        return [s["uri"] for s in pia.get(f"/api/v1/accounts/{ann_there['id']}/statuses", pinned="true")]
    ann.post(f"/api/v1/statuses/{said['id']}/pin")
    eventually("pinned", lambda: pinned() == [said["uri"]])
    ann.post(f"/api/v1/statuses/{said['id']}/unpin")
    eventually("not pinned", lambda: pinned() == [])
    expect(pia.ask("GET", f"/api/v1/statuses/{there['id']}").status, 200)


def s26_pins_are_fetched(w):
    ann, pia = w.here.person("ann"), w.there.person("pia")
    said = ann.say("pinned before anybody looked")
    ann.post(f"/api/v1/statuses/{said['id']}/pin")
    account = pia.account(ann.handle)
    eventually("pinned", lambda: [s["uri"] for s in pia.get(f"/api/v1/accounts/{account['id']}/statuses", pinned="true")] == [said["uri"]])


def s27_blocks_end_follows(w):
    ann, pia, pia_here, ann_there = friends(w)
    ann.post(f"/api/v1/accounts/{pia_here['id']}/block")
    eventually("no follows", lambda: not pia.relation(ann_there)["following"] and not pia.relation(ann_there)["followed_by"])
    said = pia.say(f"{ann.handle} hello?")
    w.there.idle()
    w.here.idle()
    expect(ann.notifications("mention"), [])
    expect([s for s in ann.home() if s["uri"] == said["uri"]], [])
