# SPDX-License-Identifier: AGPL-3.0-or-later
"""Other servers, played by one: people who send, and hosts who receive.

Every address of 127/8 on one port is a server of its own. Whoever writes has a document to be fetched; whatever comes
to an inbox is counted by its id and nothing else is done with it.
"""
import base64
import collections
import email.utils
import hashlib
import http.client
import json
import socketserver
import http.server
import threading
import urllib.parse

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

CONTEXT = ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"]
PUBLIC = "https://www.w3.org/ns/activitystreams#Public"
ACTIVITY = "application/activity+json"


class Actor:
    def __init__(self, host, name, key):
        self.host, self.name, self.key = host, name, key
        self.uri = f"http://{host}/users/{name}"

    def document(self):
        public = self.key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
        return {
            "@context": CONTEXT, "id": self.uri, "type": "Person", "preferredUsername": self.name,
            "inbox": self.uri + "/inbox", "outbox": self.uri + "/outbox", "followers": self.uri + "/followers",
            "endpoints": {"sharedInbox": f"http://{self.host}/inbox"},
            "publicKey": {"id": self.uri + "#main-key", "owner": self.uri, "publicKeyPem": public}}

    def activity(self, kind, number, obj, **more):
        return {"@context": CONTEXT, "id": f"{self.uri}/{kind.lower()}/{number}", "type": kind, "actor": self.uri,
                "object": obj} | more

    def note(self, number, text, **more):
        return {"id": f"{self.uri}/notes/{number}", "type": "Note", "attributedTo": self.uri, "content": text,
                "to": [PUBLIC], "cc": [self.uri + "/followers"]} | more

    def headers(self, target, host, body):
        date = email.utils.formatdate(usegmt=True)
        digest = "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode()
        told = f"(request-target): post {target}\nhost: {host}\ndate: {date}\ndigest: {digest}"
        signature = base64.b64encode(self.key.sign(told.encode(), padding.PKCS1v15(), hashes.SHA256())).decode()
        return {"Host": host, "Date": date, "Digest": digest, "Content-Type": ACTIVITY, "Signature":
                f'keyId="{self.uri}#main-key",algorithm="rsa-sha256",'
                f'headers="(request-target) host date digest",signature="{signature}"'}


class Peers:
    def __init__(self):
        self.actors = {}  # by uri
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.received = collections.defaultdict(collections.Counter)  # by host: id of the activity, how often
        self.said = {}  # by that id: type, actor and object, where that is an address
        self.manners = {}  # of hosts that do not behave: a function of the request's handler; true: then as usual
        self.lock = threading.Lock()
        peers = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, status, body=b"", kind=ACTIVITY):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                manner = peers.manners.get(self.headers["Host"])
                if manner and not manner(self):
                    return
                url = urllib.parse.urlsplit(self.path)
                host = self.headers["Host"]
                if url.path == "/.well-known/webfinger":
                    resource = urllib.parse.parse_qs(url.query).get("resource", [""])[0].removeprefix("acct:")
                    uri = f"http://{host}/users/{resource.split('@')[0]}"
                    links = [{"rel": "self", "type": ACTIVITY, "href": uri}]
                    found = {"subject": f"acct:{resource}", "links": links}
                    return self.answer(200, json.dumps(found).encode(), "application/jrd+json")
                actor = peers.actors.get(f"http://{host}{url.path}")
                if not actor:
                    return self.answer(404)
                self.answer(200, json.dumps(actor.document()).encode())

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if manner := peers.manners.get(self.headers["Host"]):
                    return manner(self)
                activity = json.loads(body)
                with peers.lock:
                    peers.received[self.headers["Host"]][activity["id"]] += 1
                    if isinstance(activity["object"], str):
                        peers.said[activity["id"]] = activity["type"], activity["actor"], activity["object"]
                self.answer(202)

            def log_message(self, *words):
                pass

        class Listener(socketserver.ThreadingMixIn, http.server.HTTPServer):
            daemon_threads = True
            request_queue_size = 1024

            def handle_error(self, request, client_address):
                pass  # a killed server leaves its connections

        self.listener = Listener(("0.0.0.0", 0), Handler)
        self.port = self.listener.server_address[1]
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def actor(self, number, name):
        actor = Actor(f"127.0.1.{number}:{self.port}", name, self.key)
        self.actors[actor.uri] = actor
        return actor

    def close(self):
        self.listener.shutdown()
        self.listener.server_close()


class Sender:
    """Brings what actors say to the shared inbox of a server, again until it is taken."""

    def __init__(self, port):
        self.port, self.connection = port, None

    def bring(self, actor, activity):
        """Whether it was taken; raises when it was refused for good."""
        body = json.dumps(activity).encode()
        try:
            if not self.connection:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            self.connection.request("POST", "/inbox", body, actor.headers("/inbox", f"localhost:{self.port}", body))
            response = self.connection.getresponse()
            answer = response.read()
        except (OSError, http.client.HTTPException):
            self.connection = None
            return False
        if response.status >= 500 or response.status == 429:
            return False
        if response.status != 202:
            raise RuntimeError(f"{activity['type']} was answered {response.status}: {answer[:300]!r}")
        return True
