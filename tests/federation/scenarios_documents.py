# SPDX-License-Identifier: AGPL-3.0-or-later
"""Documents that mean harm, and threads that are large: what is fetched from other servers."""
import gzip
import itertools
import json
import threading
import time

from fake import AS, TYPE, Fake
from scenarios_fedify import friends
from scenarios_posts import create
from servers import Dunlin, Peer, Wrong, ask, eventually, expect

NEEDS = "peer"


class Stage:
    def __init__(self, folder, program):
        self.dunlin, self.peer = Dunlin(folder / "ours"), Peer(folder / "peer", program)
        # Who does harm is asked less.
        self.fake, self.honest = Fake(), Fake()
        self.servers = [self.dunlin, self.peer, self.fake, self.honest]


def nothing(w, ann, url, name):
    """Nothing is found there, and soon."""
    begun = time.monotonic()
    found = ann.get("/api/v2/search", q=url, resolve="true")
    expect((found["statuses"], found["accounts"]), ([], []), name)
    took = time.monotonic() - begun
    if took > 45:  # a request has 60 s
        raise Wrong(f"{name}: it took {took:.0f} s")


def unharmed(w):
    expect(w.dunlin.healthy(), True)
    expect([line for line in w.dunlin.errors() if "Sanitizer" in line or "internal" in line], [])


def s38_documents_that_are_not_what_they_seem(w):
    ann, fake = w.dunlin.person("ann"), w.fake
    author = fake.person("author")
    good = fake.note("/notes/good", author)
    elsewhere = w.peer.origin + "/notes/elsewhere"
    note = {"@context": AS, "type": "Note", "attributedTo": author, "content": "x", "to": [AS + "#Public"]}
    def own(path, **more):
        return note | {"id": fake.origin + path} | more
    serve = fake.serve
    cases = {
        "the id of another host": serve("/d/1", note | {"id": elsewhere}),
        "the id of this site": serve("/d/2", note | {"id": f"{w.dunlin.origin}/ap/users/{ann.id}/statuses/1"}),
        "an id that is another's": serve("/d/3", own("/d/3-b")),
        "an author of another host": serve("/d/4", own("/d/4", attributedTo=w.peer.origin + "/users/admin")),
        "an author of this site": serve("/d/5", own("/d/5", attributedTo=ann.uri)),
        "no id": serve("/d/6", note), "a number as id": serve("/d/7", note | {"id": 7}),
        "no context": serve("/d/8", {k: v for k, v in own("/d/8").items() if k != "@context"}),
        "another type": serve("/d/9", own("/d/9", type="ChatMessage")), "no JSON": serve("/d/10", b"<html>"),
        "a list": serve("/d/11", [own("/d/11")]), "broken text": serve("/d/12", b'{"@context":"\xff\xfe'),
        "an upload": serve("/d/13", own("/d/13"), "application/octet-stream"),
        "a page": serve("/d/14", own("/d/14"), "text/html"), "plain JSON": serve("/d/15", own("/d/15"), "application/json"),
        "LD of no profile": serve("/d/16", own("/d/16"), "application/ld+json"),
        "LD of another profile": serve("/d/17", own("/d/17"), 'application/ld+json; profile="https://example.org/"'),
        "an error": serve("/d/18", own("/d/18"), status=500), "a forbidden one": serve("/d/19", own("/d/19"), status=403)}
    for name, url in cases.items():
        nothing(w, ann, url, name)
    expect(ann.status(good)["uri"], good, "and one that is what it seems")
    unharmed(w)


def s38_people_who_are_not_who_they_say(w):
    ann, fake = w.dunlin.person("ann"), w.fake
    victim = w.peer.user("victim")
    def actor(name, **more):
        return {"@context": AS, "id": f"{fake.origin}/users/{name}", "type": "Person", "preferredUsername": name,
                "inbox": f"{fake.origin}/users/{name}/inbox", "outbox": f"{fake.origin}/users/{name}/outbox"} | more
    nothing(w, ann, fake.serve("/users/nofinger", actor("nofinger")), "no WebFinger")
    fake.finger(f"other@{fake.host}", victim.uri)
    nothing(w, ann, fake.serve("/users/other", actor("other")), "WebFinger names somebody else")
    nothing(w, ann, f"@other@{fake.host}", "a handle of another host's person")
    fake.finger(f"loop@{fake.host}", fake.origin + "/users/loop2")
    fake.serve("/users/loop2", actor("loop2"))
    nothing(w, ann, fake.serve("/users/loop", actor("loop")), "WebFinger that does not lead back")
    fake.person("elsewhere", id=victim.uri)
    nothing(w, ann, f"@elsewhere@{fake.host}", "an actor whose id is elsewhere")
    nothing(w, ann, fake.serve("/users/claims", actor("claims", webfinger=f"{victim.name}@{w.peer.host}")), "a handle of another host")
    for name in ("a b", "a@b", "<script>", "", "x" * 3000, "../admin", "a\u202eb"):
        path = f"/odd/{len(name)}-{abs(hash(name))}"
        nothing(w, ann, fake.serve(path, actor(name) | {"id": fake.origin + path}), f"the name {name[:20]!r}")
    expect(ann.account(victim.handle)["uri"], victim.uri)
    # A key that says whose it is counts only where they say so, too.
    seen = w.peer.do("resolve", target=victim.uri)["publicKey"]
    pem = (seen[0] if isinstance(seen, list) else seen)["publicKeyPem"]
    for number, owner in enumerate((victim.uri, w.peer.origin + "/users/admin")):
        key = fake.origin + f"/keys/{number}"
        fake.serve(f"/keys/{number}", {"@context": AS, "id": key, "type": "Key", "owner": owner, "publicKeyPem": pem})
        sent = create(victim, f"stray-{number}", type="Note", content="x", to=[ann.uri], cc=[])
        expect(victim.do("raw", target=ann.handle, activity=sent, keyId=key)["status"], 401, f"a key of {owner} elsewhere")
    unharmed(w)


def s38_redirects_and_addresses_that_lead_inside(w):
    ann, fake = w.dunlin.person("ann"), w.fake
    author = fake.person("redirects")
    inside = ("http://[::1]:22/", "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data", "http://192.168.0.1/", "http://0.0.0.0/",
              "http://[::ffff:10.0.0.1]/", "http://[fe80::1]/", "file:///etc/passwd", "gopher://127.0.0.1/", "//", "",
              f"{w.dunlin.origin}/health", f"http://user@{w.dunlin.host}/health")
    for number, target in enumerate(inside):
        fake.answers[f"/r/{number}"] = (302, {"Location": target}, b"")
        nothing(w, ann, fake.origin + f"/r/{number}", f"a redirect to {target}")
        if target.startswith("http"):
            nothing(w, ann, target, target)
    expect(len([line for line in w.dunlin.log.read_text().splitlines() if 'path="/health"' in line and "Dunlin" in line]), 0)
    for step in range(6):
        fake.answers[f"/far/{step}"] = (302, {"Location": f"/far/{step + 1}"}, b"")
    fake.note("/far/6", author)
    fake.answers["/ring/1"], fake.answers["/ring/2"] = ((302, {"Location": f"/ring/{n}"}, b"") for n in (2, 1))
    nothing(w, ann, fake.origin + "/far/0", "six redirects")
    nothing(w, ann, fake.origin + "/ring/1", "a ring")
    expect(len(fake.asked("/far/")) <= 4 and len(fake.asked("/ring/")) <= 4, True)
    fake.answers["/over"] = (302, {"Location": w.peer.user("pia").post("hello")["id"]}, b"")
    if (found := ann.find_status(fake.origin + "/over")) and not found["uri"].startswith(w.peer.origin):
        raise Wrong("what a redirect leads to is of the host that answered")
    unharmed(w)


def s38_answers_that_are_too_much(w):
    ann, fake = w.dunlin.person("ann"), w.fake
    author = fake.person("much")
    note = lambda path, **more: json.dumps({"@context": AS, "id": fake.origin + path, "type": "Note", "attributedTo": author,
                                            "content": "x", "to": [AS + "#Public"]} | more)
    deep = note("/m/deep")[:-1] + ',"deep":' + '{"a":' * 10_000 + "1" + "}" * 10_000 + "}"
    fake.serve("/m/deep", deep.encode())
    fake.serve("/m/large", note("/m/large", content="x" * (1 << 20)).encode())
    bomb = note("/m/bomb", content="x" * (64 << 20)).encode()
    fake.serve("/m/bomb", gzip.compress(bomb, 6), Content_Encoding="gzip")
    def drip(request, text=b" "):
        request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: " + TYPE.encode() + b"\r\nContent-Length: 1000000\r\n\r\n")
        try:
            for _ in range(600):
                request.wfile.write(text)
                request.wfile.flush()
                time.sleep(0.1)
        except OSError:
            pass
    def endless_headers(request):
        try:
            request.wfile.write(b"HTTP/1.1 200 OK\r\n")
            for i in range(100_000):
                request.wfile.write(b"X-%d: %s\r\n" % (i, b"y" * 100))
        except OSError:
            pass
    def cut_off(request):
        request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: " + TYPE.encode() + b"\r\nContent-Length: 1000\r\n\r\n{")
    fake.answers |= {"/m/slow": drip, "/m/headers": endless_headers, "/m/cut": cut_off}
    wrong = []
    def look(name):
        try:
            nothing(w, ann, fake.origin + "/m/" + name, name)
        except Wrong as error:
            wrong.append(str(error))
    names = ["deep", "large", "bomb", "slow", "headers", "cut"]
    threads = [threading.Thread(target=look, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    ann.home()
    expect(threads[names.index("slow")].is_alive(), True, "whether somebody else is answered before a slow server is given up")
    for thread in threads:
        thread.join()
    expect(wrong, [])
    status = (w.dunlin.process.pid and open(f"/proc/{w.dunlin.process.pid}/status").read())
    peak = int(status.split("VmHWM:")[1].split()[0]) // 1024
    if peak > 1500:
        raise Wrong(f"{peak} MB of memory")
    unharmed(w)


def s38_collections_without_an_end(w):
    ann, fake = w.dunlin.person("ann"), w.fake
    author = fake.person("endless", featured=fake.origin + "/e/featured", outbox=fake.origin + "/e/outbox")
    def page(name):
        counter = itertools.count()
        def answer(request):
            n = next(counter)
            path = f"/e/{name}/{n}"
            items = [f"{fake.origin}/e/gone/{name}-{n}-{i}" for i in range(50)]
            body = {"@context": AS, "id": fake.origin + request.path, "type": "OrderedCollectionPage", "orderedItems": items,
                    "partOf": fake.origin + f"/e/{name}", "next": fake.origin + path}
            fake.answers[path] = answer
            return 200, {"Content-Type": TYPE}, json.dumps(body).encode()
        return answer
    for name in ("featured", "outbox"):
        fake.answers[f"/e/{name}"] = page(name)
    account = ann.account(author)
    ann.post(f"/api/v1/accounts/{account['id']}/follow")
    eventually("both were read", lambda: fake.asked("/e/featured") and fake.asked("/e/outbox"))
    w.dunlin.idle()
    expect(len(fake.asked("/e/featured")) <= 3 and len(fake.asked("/e/outbox")) <= 3, True)
    expect(len(fake.asked("/e/gone/")) <= 60, True, f"{len(fake.asked('/e/gone/'))} of what they list")
    unharmed(w)


def opened(w, ann, url):
    """The id of a status of another server whose thread is being read, and the header that says so."""
    status = ann.status(url)
    answer = ann.ask("GET", f"/api/v1/statuses/{status['id']}/context")
    header = answer.headers["Mastodon-Async-Refresh"]
    if not header or not header.startswith('id="') or "retry=" not in header:
        raise Wrong(f"header {header!r}")
    return status["id"], header.split('"')[1]


def refreshed(ann, refresh):
    def state():
        found = ann.get(f"/api/v1_alpha/async_refreshes/{refresh}")["async_refresh"]
        return found if found["status"] == "finished" else None
    return eventually("the thread is read", state, 120)


def s37_a_conversation_is_read_from_its_collection(w):
    ann, fake = w.dunlin.person("ann"), w.honest
    author = fake.person("owner")
    context = fake.origin + "/c/context"
    root = fake.note("/c/root", author, context=context, replies=fake.origin + "/c/none")
    answers = [fake.note("/c/1", author, inReplyTo=root, context=context)]
    answers.append(fake.note("/c/2", author, inReplyTo=answers[0], context=context))
    answers.append(fake.note("/c/3", author, inReplyTo=answers[1], replies=fake.origin + "/c/3/replies"))
    answers.append(fake.note("/c/4", author, inReplyTo=answers[2]))
    stray = fake.note("/c/stray", author)
    fake.serve("/c/3/replies", {"@context": AS, "id": fake.origin + "/c/3/replies", "type": "Collection", "items": [answers[3]]})
    fake.serve("/c/context", {"@context": AS, "id": context, "type": "Collection", "attributedTo": author, "first": {
        "type": "CollectionPage", "partOf": context, "items": [answers[1], answers[0], root, stray], "next": context + "/2"}})
    fake.serve("/c/context/2", {"@context": AS, "id": context + "/2", "type": "CollectionPage", "partOf": context,
                                "items": [answers[2], context], "next": context})
    id, refresh = opened(w, ann, root)
    refreshed(ann, refresh)
    seen = sorted(s["uri"] for s in ann.get(f"/api/v1/statuses/{id}/context")["descendants"])
    expect(seen, sorted(answers))
    expect([len(fake.asked(path)) for path in ("/c/context/2", "/c/3/replies")], [1, 1])


def s37_our_conversations_can_be_read(w):
    ann, pia, _ = friends(w)
    said = ann.say("a question")
    answer = ann.say("more of it", in_reply_to_id=said["id"])
    made = pia.post("an answer", inReplyTo=answer["uri"])["id"]
    ann.say("among us", in_reply_to_id=said["id"], visibility="private")
    ann.notified("mention", pia.uri)
    context = ask("GET", said["uri"], headers={"Accept": TYPE}).json["context"]
    found = ask("GET", context, headers={"Accept": TYPE}).json
    expect((found["type"], found["id"], found["attributedTo"]), ("Collection", context, ann.uri))
    expect(w.peer.do("collection", target=context)["items"], [said["uri"], answer["uri"], made])
