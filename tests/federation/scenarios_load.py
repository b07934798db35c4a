# SPDX-License-Identifier: AGPL-3.0-or-later
"""Much at once: a post to two thousand followers, and some hundred activities in any order. SOAK=14 makes it five thousand."""
import collections
import json
import os
import random
import time
from concurrent.futures import ThreadPoolExecutor

from fake import AS, Fake
from scenarios_posts import PUBLIC
from servers import Dunlin, Peer, Wrong, eventually, expect

NEEDS = "peer"
ONE_BY_ONE = True  # times are looked at


class Stage:
    def __init__(self, folder, program):
        self.here, self.there = Dunlin(folder / "here"), Dunlin(folder / "there")
        self.peer, self.fake = Peer(folder / "peer", program), Fake(50)
        self.servers = [self.here, self.there, self.peer, self.fake]


def memory(server, what):
    status = open(f"/proc/{server.process.pid}/status").read()
    return int(status.split(what + ":")[1].split()[0]) // 1024


def follow_from(fake, server, person, each, shared):
    """So many on each host follow; those of the first `shared` hosts have a shared inbox. The inboxes that are written to."""
    accounts, actors, follows, inboxes = [], [], [], []
    number = int(person.id) + 1000
    for place, origin in enumerate(fake.origins):
        wide = origin + "/inbox" if place < shared else ""
        for i in range(each):
            number += 1
            uri = f"{origin}/users/{i}"
            accounts.append((number, f"u{i}", origin.partition("://")[2], uri, uri))
            actors.append((number, uri + "/inbox", wide, uri + "/followers"))
            follows.append((number, number, person.id))
            inboxes.append(wide or uri + "/inbox")
    server.stop()
    server.change("INSERT INTO accounts (id, username, domain, uri, url, created_at) VALUES (?, ?, ?, ?, ?, 0)", accounts)
    server.change("INSERT INTO actors (account_id, inbox, shared_inbox, followers, following, featured, refreshed_at) "
                  "VALUES (?, ?, ?, ?, '', '', 9000000000000)", actors)
    server.change("INSERT INTO follows (id, account_id, target_id, created_at) VALUES (?, ?, ?, 0)", follows)
    server.change("UPDATE accounts SET followers_count = ?, version = version + 1 WHERE id = ?", [(len(follows), person.id)])
    server.start()
    return set(inboxes)


def s43_a_post_to_two_thousand_followers(w):
    ann, fake = w.here.person("ann"), w.fake
    inboxes = follow_from(fake, w.here, ann, 40, 40)
    expect(len(inboxes), 40 + 10 * 40)
    # A few take their time.
    def slow(request):
        time.sleep(0.5)
        return 202, {}, b""
    fake.answers["/inbox"] = lambda request: slow(request) if request.origin in fake.origins[:5] else (202, {}, b"")
    ann.home()
    before = memory(w.here, "VmRSS")
    said = ann.say("for all of you")
    answered = 0
    def all_there():
        nonlocal answered
        ann.home()
        told = len(fake.requests)
        answered += told < len(inboxes)
        return told >= len(inboxes)
    eventually("all are told", all_there, 120)
    if answered < 3:
        raise Wrong(f"home was answered {answered} times while others were told")
    eventually("nothing is left", lambda: not w.here.busy(), 120)
    times = collections.Counter(r.origin + r.path for r in fake.requests)
    expect((set(times) == inboxes, set(times.values())), (True, {1}), "each once")
    bodies = {r.body for r in fake.requests}
    expect([json.loads(body)["object"]["id"] for body in bodies], [said["uri"]])
    expect(len({r.headers["Signature"] for r in fake.requests}), len(inboxes), "each signed for itself")
    if memory(w.here, "VmHWM") - before > 300:
        raise Wrong(f"{memory(w.here, 'VmHWM') - before} MB more")
    fake.requests.clear()
    ann.delete(f"/api/v1/statuses/{said['id']}")
    eventually("all are told of its end", lambda: len(fake.requests) >= len(inboxes), 120)
    eventually("nothing is left", lambda: not w.here.busy(), 120)
    expect({json.loads(r.body)["type"] for r in fake.requests}, {"Delete"})


def history(users, person, statuses, chance, scale):
    """What those users do, in the order in which they do it: (user, activity)."""
    done = []
    stamp = lambda seconds: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 3600 + seconds))
    def act(user, kind, object, number, **more):
        done.append((user, {"@context": AS, "id": f"{user.uri}#{person.server.port}-{kind}-{number}", "type": kind, "actor": user.uri,
                            "to": [PUBLIC], "cc": [user.uri + "/followers", person.uri], "object": object} | more))
        return done[-1][1]
    for i in range(80 * scale):
        user = chance.choice(users)
        note = {"id": f"{user.uri}/soak/{person.server.port}-{i}", "type": "Note", "attributedTo": user.uri, "to": [PUBLIC],
                "cc": [user.uri + "/followers"], "content": f"<p>post {i}</p>", "published": stamp(i)}
        if i % 4 == 0:
            note["inReplyTo"] = statuses[i % len(statuses)]["uri"]
        act(user, "Create", note, i)
        if chance.random() < 0.4:
            act(user, "Update", note | {"content": f"<p>edited {i}</p>", "updated": stamp(i + 60)}, i)
        if chance.random() < 0.25:
            act(user, "Delete", {"type": "Tombstone", "id": note["id"]}, i)
    for number, status in enumerate(statuses):
        for user in users:
            for kind in ("Like", "Announce"):
                sent = act(user, kind, status["uri"], number)
                if chance.random() < 0.4:
                    act(user, "Undo", sent, f"{kind}-{number}")
    return done


def outcome(server, person, statuses):
    """What became of it: the posts as people read them, and what is counted of the statuses."""
    posts = {uri.rsplit("-")[-1]: content for uri, content in server.rows(
        "SELECT uri, content FROM statuses WHERE uri LIKE '%/soak/%' AND deleted_at IS NULL")}
    counts = []
    for status in statuses:
        now = person.get(f"/api/v1/statuses/{status['id']}")
        counts.append((now["favourites_count"], now["reblogs_count"], now["replies_count"]))
    return posts, counts


def s44_any_order_and_duplicates_end_the_same(w):
    seed, scale = random.randrange(1 << 32), int(os.environ.get("SOAK", "1"))
    users = [w.peer.user("soak") for _ in range(5)]
    ends = []
    for server, shuffled in ((w.here, False), (w.there, True)):
        chance = random.Random(seed)
        ann = server.person("ann")
        for user in users:
            account = ann.follow(user.uri)
            eventually("accepted", lambda: ann.relation(account)["following"])
        statuses = [ann.say(f"number {i}") for i in range(8 * scale)]
        done = history(users, ann, statuses, chance, scale)
        if shuffled:
            done += chance.sample(done, len(done) // 5)
            chance.shuffle(done)
        def bring(one):
            user, activity = one
            return user.do("raw", inbox=server.origin + "/inbox", activity=activity)["status"]
        # In order is what each of them does.
        rows = [[one] for one in done] if shuffled else [[one for one in done if one[0] is user] for user in users]
        with ThreadPoolExecutor(5) as threads:
            expect({status for row in threads.map(lambda row: [bring(one) for one in row], rows) for status in row}, {202})
        eventually("all is done", lambda: not server.busy(), 300)
        ends.append(outcome(server, ann, statuses))
    (posts, counts), (other_posts, other_counts) = ends
    wrong = {i: (posts.get(i), other_posts.get(i)) for i in posts.keys() | other_posts.keys() if posts.get(i) != other_posts.get(i)}
    expect((wrong, other_counts), ({}, counts), f"seed {seed}")
    expect(len(posts) > 40 * scale, True, f"{len(posts)} posts")
