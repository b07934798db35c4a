# SPDX-License-Identifier: AGPL-3.0-or-later
"""A server that had our address before, as far as others meet it: its actors with their keys, some of what they wrote, and
inboxes that take everything."""
import base64
import dataclasses
import email.utils
import hashlib
import http.server
import json
import threading
import urllib.parse

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

from servers import Wrong, ask

CONTEXT = ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"]


@dataclasses.dataclass
class Actor:
    name: str
    uri: str
    key_id: str  # an address of its own where it has no fragment
    key: object

    @property
    def public_pem(self):
        return self.key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()

    @property
    def document(self):
        return {"@context": CONTEXT, "id": self.uri, "type": "Person", "preferredUsername": self.name,
                "inbox": self.uri + "/inbox", "outbox": self.uri + "/outbox", "followers": self.uri + "/followers",
                "following": self.uri + "/following",
                "publicKey": {"id": self.key_id, "owner": self.uri, "publicKeyPem": self.public_pem}}


def private_key(pem):
    return serialization.load_pem_private_key(pem.encode(), None)


class Former:
    """On the port that will be ours."""

    def __init__(self, port, actors):
        self.origin, self.host = f"http://127.0.0.1:{port}", f"127.0.0.1:{port}"
        self.actors = actors
        self.documents = {}  # by address
        for actor in actors:
            self.documents |= {actor.uri: actor.document, actor.key_id.partition("#")[0]: actor.document}
        self.received = []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler(self))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def write(self, actor, uri, content):
        """A public post, which is to be found there."""
        self.documents[uri] = {
            "@context": CONTEXT[0], "id": uri, "type": "Note", "attributedTo": actor.uri, "content": content,
            "published": "2026-11-01T06:00:00Z", "to": ["https://www.w3.org/ns/activitystreams#Public"],
            "cc": [actor.uri + "/followers"]}

    def answer(self, path):
        url = urllib.parse.urlsplit(path)
        if url.path == "/.well-known/webfinger":
            asked = dict(urllib.parse.parse_qsl(url.query)).get("resource", "")
            actor = next((a for a in self.actors if asked in (f"acct:{a.name}@{self.host}", a.uri)), None)
            return actor and {"subject": f"acct:{actor.name}@{self.host}", "links": [
                {"rel": "self", "type": "application/activity+json", "href": actor.uri}]}
        return self.documents.get(self.origin + url.path)

    def send(self, actor, inbox, activity):
        body = json.dumps({"@context": CONTEXT[0]} | activity).encode()
        url = urllib.parse.urlsplit(inbox)
        headers = {"Host": url.netloc, "Date": email.utils.formatdate(usegmt=True),
                   "Digest": "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode(),
                   "Content-Type": "application/activity+json"}
        lines = [f"(request-target): post {url.path}"] + [f"{n.lower()}: {headers[n]}" for n in ("Host", "Date", "Digest")]
        signature = actor.key.sign("\n".join(lines).encode(), padding.PKCS1v15(), hashes.SHA256())
        headers["Signature"] = (f'keyId="{actor.key_id}",algorithm="rsa-sha256",headers="(request-target) host date digest",'
                                f'signature="{base64.b64encode(signature).decode()}"')
        answer = ask("POST", inbox, body, headers)
        if answer.status >= 300:
            raise Wrong(f"the peer took nothing of the server of before: {answer.status} {answer.body[:300]!r}")

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def handler(former):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            document = former.answer(self.path)
            body = json.dumps(document or {}).encode()
            self.send_response(200 if document else 404)
            self.send_header("Content-Type", "application/jrd+json" if "webfinger" in self.path else "application/activity+json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            former.received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(202)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass
    return Handler
