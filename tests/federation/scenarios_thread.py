# SPDX-License-Identifier: AGPL-3.0-or-later
"""A thread so large that its server is asked nearly as often as one may be asked in a minute: by itself."""
from fake import AS, Fake
from scenarios_documents import opened, refreshed
from servers import Dunlin, Wrong, expect

NEEDS = "nobody"


class Stage:
    def __init__(self, folder, _):
        self.dunlin, self.fake = Dunlin(folder / "ours"), Fake()
        self.servers = [self.dunlin, self.fake]


def s37_a_thread_of_ten_thousand_answers_is_read_up_to_a_limit(w):
    ann, fake = w.dunlin.person("ann"), w.fake
    author = fake.person("popular")
    root = fake.note("/t/root", author, replies=fake.origin + "/t/replies")
    for i in range(30):
        fake.note(f"/t/{i}", author, inReplyTo=root)
    # The first thirty are there, the others were deleted meanwhile.
    for at in range(0, 10_000, 100):
        fake.serve(f"/t/replies{at or ''}", {
            "@context": AS, "id": fake.origin + f"/t/replies{at or ''}", "type": "CollectionPage", "partOf": fake.origin + "/t/replies",
            "items": [f"{fake.origin}/t/{i}" for i in range(at, at + 100)], "next": fake.origin + f"/t/replies{at + 100}"})
    id, refresh = opened(w, ann, root)
    expect(refreshed(ann, refresh)["result_count"], 30)
    expect(len(ann.get(f"/api/v1/statuses/{id}/context")["descendants"]), 30)
    pages, posts = len(fake.asked("/t/replies")), len([r for r in fake.asked("/t/") if r.path[3:].isdigit()])
    expect((pages <= 6, posts), (True, 500), f"{pages} pages and {posts} posts")
    # Who looks again has nothing read again.
    if ann.ask("GET", f"/api/v1/statuses/{id}/context").headers["Mastodon-Async-Refresh"]:
        raise Wrong("it is read again at once")
    w.dunlin.idle()
    expect(len(fake.asked("/t/replies")), pages)
