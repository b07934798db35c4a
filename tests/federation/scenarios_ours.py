# SPDX-License-Identifier: AGPL-3.0-or-later
"""Two Dunlins."""
import json

from between import *  # noqa: F401,F403
from between import friends
from servers import Dunlin, eventually, expect

NEEDS = "nobody"


class Stage:
    def __init__(self, folder, _):
        self.here, self.there = Dunlin(folder / "here"), Dunlin(folder / "there")
        self.servers = [self.here, self.there]


def s18_an_unfollow_names_the_follow_as_it_was_sent(w):
    ann, pia, pia_here, ann_there = friends(w)
    known = w.there.rows("SELECT uri FROM follows WHERE account_id = ? AND target_id = ?", int(ann_there["id"]), int(pia.id))
    ann.post(f"/api/v1/accounts/{pia_here['id']}/unfollow")
    eventually("unfollowed", lambda: not pia.relation(ann_there)["followed_by"])
    told = [json.loads(body) for (body,) in w.here.rows("SELECT body FROM activities WHERE signer = ?", int(ann.id))]
    expect([a["object"]["id"] for a in told if a["type"] == "Undo"], [known[0][0]])
    expect([a["id"] for a in told if a["type"] == "Follow"], [known[0][0]])


def s22_edits_and_deletions_reach_a_server_whose_last_follower_left(w):
    ann, pia = w.here.person("ann"), w.there.person("pia")
    ann_there = pia.follow(ann.handle)
    eventually("followed", lambda: pia.relation(ann_there)["following"])
    said = {visibility: ann.say(f"for {visibility}", visibility=visibility) for visibility in ("public", "unlisted", "private")}
    seen = {visibility: pia.at_home(said[visibility]["uri"])["id"] for visibility in said}
    pia.post(f"/api/v1/accounts/{ann_there['id']}/unfollow")
    eventually("left", lambda: ann.get(f"/api/v1/accounts/{ann.id}")["followers_count"] == 0)
    for visibility in ("public", "unlisted"):
        ann.put(f"/api/v1/statuses/{said[visibility]['id']}", status="with other words")
        eventually(f"{visibility} edited", lambda: "other words" in pia.get(f"/api/v1/statuses/{seen[visibility]}")["content"])
    for visibility, status in said.items():
        ann.delete(f"/api/v1/statuses/{status['id']}")
        eventually(f"{visibility} deleted", lambda: w.there.rows(
            "SELECT deleted_at IS NOT NULL FROM statuses WHERE id = ?", int(seen[visibility]))[0][0])
    w.here.idle()
    numbers = ",".join(status["id"] for status in said.values())
    expect(w.here.rows(f"SELECT count(*) FROM status_recipients WHERE status_id IN ({numbers})")[0][0], 0)
