# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list of servers that is subscribed to over https: a FIRES dataset that pages, and changes."""
import http.server
import json
import random
import ssl
import threading
import urllib.parse

from scenarios_tls import authority, certificate
from servers import Dunlin, Wrong, eventually, expect, started

NEEDS = "nobody"
ONE_BY_ONE = True
PAGE = 2


class Dataset:
    """Each change is about one domain; None takes back what was said."""

    def __init__(self, address, believed, folder, name="fires.test"):
        cert, key = certificate(folder, believed, name, "fires")
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(cert, key)
        self.changes, self.asked, self.status = [], [], 200
        self.log = folder / "no log"
        self.listener = http.server.ThreadingHTTPServer((address, 0), handler(self))
        self.listener.daemon_threads = True
        self.listener.socket = made.wrap_socket(self.listener.socket, server_side=True)
        self.port = self.listener.server_port
        self.url = f"https://{name}:{self.port}/datasets/1"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()
        started.append(self)

    def kill(self):
        self.listener.shutdown()
        self.listener.server_close()

    def tail(self):
        return "\n".join(self.asked[-20:])

    def item(self, at):
        domain, policy = self.changes[at]
        out = {"id": f"{self.url}/changes/{at}", "type": "Recommendation" if policy else "Retraction",
               "published": "2026-01-01T00:00:00Z", "entityKind": "domain", "entityKey": domain}
        return out | ({"labels": [], "recommendedPolicy": policy, "recommendedFilters": []} if policy else {})

    def answer(self, path, since):
        if path.endswith("/datasets/1"):
            return {"type": "Dataset", "endpoints": {"snapshot": self.url + "/snapshot", "changes": self.url + "/changes"}}
        if path.endswith("/snapshot"):
            latest = {domain: at for at, (domain, _) in enumerate(self.changes)}
            return {"type": "OrderedCollection", "items": [self.item(at) for at in sorted(latest.values(), reverse=True)],
                    "changes": f"{self.url}/changes?since={len(self.changes) - 1}"}
        end = min(since + PAGE, len(self.changes))
        more = {"next": f"{self.url}/changes?since={end}"} if end < len(self.changes) else {}
        return {"type": "OrderedCollectionPage", "orderedItems": [self.item(at) for at in range(since, end)]} | more


def handler(dataset):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            dataset.asked.append(self.path)
            where = urllib.parse.urlsplit(self.path)
            since = int(dict(urllib.parse.parse_qsl(where.query)).get("since", 0))
            body = json.dumps(dataset.answer(where.path, since)).encode()
            self.send_response(dataset.status)
            self.send_header("Content-Type", "application/ld+json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass
    return Handler


class Stage:
    def __init__(self, folder, _):
        believed = authority(folder, "believed")
        address = f"127.{random.randrange(1, 255)}.{random.randrange(255)}.{random.randrange(2, 255)}"
        self.dataset = Dataset(address, believed, folder)
        self.dunlin = Dunlin(folder / "ours", "--extra-ca-file", f"{believed}.pem",
                             "--host-overrides", f"fires.test={address}:{self.dataset.port}")
        self.servers = [self.dunlin, self.dataset]

    def list(self, *words):
        return self.dunlin.command("list", *words, "--json")

    def source(self, number):
        return next(one for one in self.list("sources") if one["id"] == number)

    def states(self, number):
        return {one["key"]: one["state"] for one in self.list("sources", number)}


def s27_a_subscribed_list_is_read_applied_and_followed(w):
    fires = w.dataset
    fires.changes = [("a.example", "drop"), ("b.example", "drop"), ("c.example", "reject")]
    number = w.list("add", fires.url, "--name", "Theirs", "--mode", "apply", "--retractions", "lift")["id"]
    eventually("read", lambda: w.source(number)["read_at"])
    expect(w.states(number), {"a.example": "suggested", "b.example": "suggested", "c.example": "suggested"})
    expect(w.list("take", number)["added"], 3)
    eventually("in force", lambda: set(w.states(number).values()) == {"in_force"})
    # What changes comes in pages, is applied by itself, and lifts what is taken back.
    fires.asked.clear()
    fires.changes += [("d.example", "drop"), ("a.example", None), ("e.example", "drop")]
    w.list("sync", number)
    eventually("followed", lambda: w.states(number) == {name + ".example": "in_force" for name in "bcde"})
    if any("snapshot" in path for path in fires.asked) or len(fires.asked) != 2:
        raise Wrong(fires.asked)
    expect(sorted(one["domain"] for one in w.dunlin.command("domain", "list", "--json")),
           [name + ".example" for name in "bcde"])
    # A server that fails takes nothing away.
    fires.status = 500
    w.list("sync", number)
    eventually("noted", lambda: "500" in w.source(number)["problem"])
    expect(w.states(number), {name + ".example": "in_force" for name in "bcde"})
