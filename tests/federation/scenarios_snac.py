# SPDX-License-Identifier: AGPL-3.0-or-later
"""One Dunlin and snac. What snac does not do or tell is left out."""
from between import (  # noqa: F401
    friends, s17_each_finds_the_other_by_handle_and_by_address, s18_follow_accept_both_ways, s20_replies_and_mentions)
from servers import ACTIVITY, Dunlin, ask, eventually, expect
from snac import Snac

NEEDS = "snac"


class Stage:
    def __init__(self, folder, _):
        self.here, self.there = Dunlin(folder / "here"), Snac(folder / "snac")
        self.servers = [self.here, self.there]


def s18_a_locked_account_decides(w):
    ann, pia = w.here.person("ann", locked=True), w.there.person("pia")
    ann_there = pia.follow(ann.handle)
    asking = ann.notified("follow_request")["account"]
    ann.post(f"/api/v1/follow_requests/{asking['id']}/authorize")
    eventually("accepted", lambda: ann.relation(asking)["followed_by"])
    said = ann.say("for friends", visibility="private")
    pia.at_home(said["uri"])
    expect(pia.relation(ann_there)["following"], True)


def s19_audiences(w):
    ann, pia, _, _ = friends(w)
    said = {v: ann.say(f"for {v}", visibility=v) for v in ("public", "unlisted", "private")}
    said["direct"] = ann.say(f"{pia.handle} for you", visibility="direct")
    for visibility in ("public", "unlisted", "private"):
        got = pia.at_home(said[visibility]["uri"])["visibility"]
        expect(got == "private", visibility == "private", f"{visibility} is {got} there")
    eventually("the direct one", lambda: any(
        (n.get("status") or {}).get("uri") == said["direct"]["uri"] for n in pia.notifications("mention")))
    expect(ann.at_home(pia.say("for all")["uri"])["visibility"], "public")


def s21_boosts_and_likes(w):
    ann, pia, _, _ = friends(w)
    for one, other in ((ann, pia), (pia, ann)):
        said = one.say("like me")
        there = other.at_home(said["uri"])
        other.post(f"/api/v1/statuses/{there['id']}/favourite")
        one.notified("favourite")
        other.post(f"/api/v1/statuses/{there['id']}/reblog")
        one.notified("reblog")
        def counts():
            now = one.get(f"/api/v1/statuses/{said['id']}")
            return now["favourites_count"], now["reblogs_count"]
        eventually("both are counted", lambda: counts() == (1, 1))
        other.post(f"/api/v1/statuses/{there['id']}/unfavourite")
        other.post(f"/api/v1/statuses/{there['id']}/unreblog")
        # snac ignores the end of a boost.
        eventually("both are taken back", lambda: counts() == (0, int(one is pia)))


def s22_edits_and_deletes(w):
    ann, pia, _, _ = friends(w)
    said = ann.say("frist words")
    there = pia.at_home(said["uri"])
    ann.put(f"/api/v1/statuses/{said['id']}", status="first words")
    eventually("edited", lambda: "first words" in pia.get(f"/api/v1/statuses/{there['id']}")["content"])
    ann.delete(f"/api/v1/statuses/{said['id']}")
    eventually("gone", lambda: pia.ask("GET", f"/api/v1/statuses/{there['id']}").status == 404)


def s23_warnings_and_hashtags(w):
    ann, pia, _, _ = friends(w)
    for one, other in ((ann, pia), (pia, ann)):
        said = one.say("fresh #bread", spoiler_text="food", sensitive=True)
        got = other.at_home(said["uri"])
        expect((got["spoiler_text"], got["sensitive"]), ("food", True))
        expect([t["name"].lower().lstrip("#") for t in got["tags"]], ["bread"])


def s27_blocks_silence(w):
    ann, pia, pia_here, ann_there = friends(w)
    ann.post(f"/api/v1/accounts/{pia_here['id']}/block")
    eventually("no follower", lambda: not pia.relation(ann_there)["followed_by"])
    said = pia.say(f"{ann.handle} hello?")
    w.there.idle()
    w.here.idle()
    expect(ann.notifications("mention"), [])
    expect(ask("GET", said["uri"], headers=ACTIVITY).status, 200)
