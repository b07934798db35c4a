# SPDX-License-Identifier: AGPL-3.0-or-later
"""Several nodes on one database, what they speak by, and who listens to them."""
import hashlib
import json
import os
import socket
import subprocess
import threading
import time

from server import Client, Server, free_port, within
from websocket import CLOSE, PING, PONG, TEXT, Frames, handshake

DATABASE = os.environ.get("DUNLIN_TEST_POSTGRES", "")


def psql(sql):
    done = subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-At", DATABASE, "-c", sql], text=True,
                          capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"psql: {done.stderr.strip()}")
    return done.stdout.strip()


class Broker:
    """A server of Redis, with TLS and one user who may do no more than is needed, or open to all."""

    def __init__(self, folder, guarded):
        self.folder, self.port, self.process = folder, free_port(), None
        common = f"save ''\nappendonly no\ndir {folder}\nbind 127.0.0.1\n"
        if guarded:
            certificate = folder / "broker.pem"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                            "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                            "-keyout", folder / "broker.key", "-out", certificate], check=True, capture_output=True)
            (folder / "broker.conf").write_text(
                common + f"port 0\ntls-port {self.port}\ntls-cert-file {certificate}\ntls-key-file {folder}/broker.key\n"
                f"tls-ca-cert-file {certificate}\ntls-auth-clients no\nuser default off\n"
                "user dunlin on >pass/word resetchannels &dunlin* -@all +publish +subscribe\n")
            self.settings = ["--shared-liveness", f"rediss://dunlin:pass%2Fword@localhost:{self.port}",
                             "--extra-ca-file", str(certificate)]
        else:
            (folder / "broker.conf").write_text(common + f"port {self.port}\n")
            self.settings = ["--shared-liveness", f"redis://127.0.0.1:{self.port}"]
        self.start()

    def start(self):
        self.process = subprocess.Popen(["redis-server", self.folder / "broker.conf"], stdout=subprocess.DEVNULL)

        def listening():
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return True
            except OSError:
                return False
        if not within(10, listening):
            raise RuntimeError("redis-server does not listen")

    def stop(self):
        self.process.kill()
        self.process.wait()


class Postgres:
    """The way through the database itself, which is lost by and by with the connections that listen."""
    settings = []

    def stop(self):
        psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT count(pg_notify%' OR query LIKE 'LISTEN%'")

    def start(self):
        pass


class Ear:
    """A WebSocket that notes what it hears, and when."""

    def __init__(self, node, token, *streams):
        self.heard, self.closed_at = [], None
        before = node.metric("dunlin_stream_subscriptions")
        self.socket = handshake(node.port, "/api/v1/streaming", token)
        for stream, argument in streams:
            self.say({"type": "subscribe", "stream": stream} | argument)
        threading.Thread(target=self.listen, daemon=True).start()
        # A subscription is not answered.
        if not within(30, lambda: node.metric("dunlin_stream_subscriptions") >= before + len(streams)):
            raise RuntimeError("the node does not take the subscriptions:\n" + node.tail())

    def say(self, message):
        data = json.dumps(message).encode()
        head = bytes([0x81, 0x80 | len(data)]) if len(data) < 126 else b"\x81\xfe" + len(data).to_bytes(2, "big")
        self.socket.sendall(head + b"\0\0\0\0" + data)

    def listen(self):
        frames = Frames()
        self.socket.settimeout(None)
        try:
            while data := self.socket.recv(65536):
                for kind, content in frames.take(data):
                    if kind == PING:
                        self.socket.sendall(PONG)
                    elif kind == CLOSE:
                        self.closed_at = time.monotonic()
                        return self.socket.close()
                    elif kind == TEXT:
                        message = json.loads(content)
                        self.heard.append((message.get("stream", [""])[0], message["event"], message.get("payload", "")))
        except OSError:
            pass
        self.closed_at = self.closed_at or time.monotonic()

    def has(self, stream, event, word="", seconds=20):
        return within(seconds, lambda: any(s == stream and e == event and word in p for s, e, p in list(self.heard)))


class Node(Server):
    def hears(self, others):
        try:
            return self.metric("dunlin_nodes_connected") and self.metric("dunlin_nodes_heard") >= others
        except OSError:
            return False


class Site:
    def __init__(self, folder, count, way, *settings, database=DATABASE, **more):
        self.nodes = []
        try:
            for number in range(count):
                place = folder / f"node{number}"
                place.mkdir()
                public = self.nodes[0].where[3] if self.nodes else "http://localhost:{port}"
                self.nodes.append(Node(place, database, *way.settings, *settings, public=public, **more))
            self.meet()
        except Exception:
            self.end()
            raise

    def meet(self):
        if not within(60, lambda: all(node.hears(len(self.nodes) - 1) for node in self.nodes)):
            raise RuntimeError("the nodes do not hear each other:\n" + self.nodes[0].tail())

    def end(self):
        for node in self.nodes:
            node.kill()


def revocable(node, token):
    """The application that may end this token: (client_id, client_secret)."""
    app = Client(node.port, token).post("/api/v1/apps", {"client_name": "revoker", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob"})
    digest = hashlib.sha256(token.encode()).hexdigest()
    psql(f"UPDATE tokens SET app_id = (SELECT id FROM apps WHERE client_id = '{app['client_id']}') WHERE token_hash = '{digest}'")
    return {"client_id": app["client_id"], "client_secret": app["client_secret"], "token": token}
