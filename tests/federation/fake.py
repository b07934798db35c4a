# SPDX-License-Identifier: AGPL-3.0-or-later
"""A server that answers what a scenario tells it to, however wrong that is, and remembers what it was asked."""
import http.server
import json
import pathlib
import threading
import types
import urllib.parse

from servers import started

AS = "https://www.w3.org/ns/activitystreams"
TYPE = "application/activity+json"


class Fake:
    """`answers` by path: (status, headers, bytes), or a function of the request that is one. Inboxes take all."""

    def __init__(self, ports=1):
        self.answers, self.requests, self.lock = {}, [], threading.Lock()
        self.log = pathlib.Path("(no log)")
        self.listeners = [self.listen() for _ in range(ports)]
        self.origins = [f"http://127.0.0.1:{listener.server_port}" for listener in self.listeners]
        self.origin = self.origins[0]
        self.host = self.origin.partition("://")[2]
        started.append(self)

    def listen(self):
        listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler(self))
        listener.daemon_threads = True
        listener.handle_error = lambda *_: None  # who asked has hung up
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        return listener

    def kill(self):
        for listener in self.listeners:
            listener.shutdown()
            listener.server_close()

    def tail(self):
        return "\n".join(f"{r.command} {r.path}" for r in self.requests[-20:])

    def asked(self, start):
        return [r for r in self.requests if r.path.startswith(start)]

    def serve(self, path, document, type=TYPE, status=200, **headers):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.answers[path] = (status, {"Content-Type": type} | {k.replace("_", "-"): v for k, v in headers.items()}, body)
        return self.origin + path

    def person(self, name, **more):
        """Somebody who is found by handle and by address; no key."""
        uri = f"{self.origin}/users/{name}"
        self.serve(f"/users/{name}", {"@context": AS, "id": uri, "type": "Person", "preferredUsername": name, "inbox": uri + "/inbox",
                                      "outbox": uri + "/outbox", "followers": uri + "/followers"} | more)
        self.finger(f"{name}@{self.host}", uri)
        return uri

    def finger(self, handle, uri):
        self.serve("/.well-known/webfinger?resource=" + urllib.parse.quote("acct:" + handle, safe=":@"), {
            "subject": "acct:" + handle, "links": [{"rel": "self", "type": TYPE, "href": uri}]}, "application/jrd+json")

    def note(self, path, author, **more):
        return self.serve(path, {"@context": AS, "id": self.origin + path, "type": "Note", "attributedTo": author, "content": path,
                                 "published": "2026-01-01T00:00:00Z", "to": [AS + "#Public"]} | more)


def handler(fake):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.origin = f"http://127.0.0.1:{self.server.server_port}"
            with fake.lock:
                fake.requests.append(types.SimpleNamespace(
                    command=self.command, origin=self.origin, path=self.path, headers=self.headers, body=self.body))
            path = urllib.parse.unquote(self.path)
            found = fake.answers.get(path) or fake.answers.get(path.partition("?")[0])
            found = found or (202 if self.command == "POST" else 404, {}, b"")
            if callable(found):
                found = found(self)
            if found is None:  # it has answered by itself
                self.close_connection = True
                return
            status, headers, body = found
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = answer

        def log_message(self, *_):
            pass
    return Handler
