# SPDX-License-Identifier: AGPL-3.0-or-later
"""A crowd of slow clients, in a process of its own.

usage: crowd.py silent|dripping|upgrading PORT SIZE SECONDS
"""
import selectors
import socket
import sys
import time

ADDRESSES = 50
HEAD = (b"POST /inbox HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/activity+json\r\n"
        b"Signature: keyId=\"https://a.example/key\",signature=\"eA==\"\r\nContent-Length: 1000000\r\n\r\n")
# A WebSocket is asked for, and never quite.
UPGRADE = (b"GET /api/v1/streaming?stream=public HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
FIRST = {"silent": b"", "dripping": HEAD, "upgrading": UPGRADE}
DROP, SENT_BY_DROPS, SECONDS_BETWEEN = 16 << 10, 600_000, 0.25  # then a byte each time
AGAIN_PER_SECOND = 200


class Crowd:
    """`size` connections of many addresses. Who is sent away comes again, some hundred of them a second."""

    def __init__(self, port, size, first):
        self.port, self.size, self.first = port, size, first
        self.selector = selectors.DefaultSelector()
        self.left = {}  # of what is sent by drops; nothing before the head is sent
        self.made = self.closed = 0

    def join(self):
        client = socket.socket()
        client.setblocking(False)
        client.bind((f"127.0.1.{1 + self.made % ADDRESSES}", 0))
        client.connect_ex(("127.0.0.1", self.port))
        self.made += 1
        self.left[client] = None
        self.selector.register(client, selectors.EVENT_READ | (selectors.EVENT_WRITE if self.first else 0))

    def leave(self, client):
        self.selector.unregister(client)
        del self.left[client]
        client.close()
        self.closed += 1

    def heard(self, client, events):
        try:
            if events & selectors.EVENT_READ and not client.recv(4096):
                return self.leave(client)
            if events & selectors.EVENT_WRITE:  # connected
                client.send(self.first)
                self.selector.modify(client, selectors.EVENT_READ)
                self.left[client] = SENT_BY_DROPS if self.first == HEAD else None
        except BlockingIOError:
            pass
        except OSError:
            self.leave(client)

    def drip(self):
        for client in [client for client, left in self.left.items() if left is not None]:
            try:
                sent = client.send(b" " * max(1, min(DROP, self.left[client])))
                self.left[client] -= min(sent, self.left[client])
            except BlockingIOError:
                pass
            except OSError:
                self.leave(client)

    def stay(self, seconds):
        begun = time.monotonic()
        end, dripped = begun + seconds, begun
        print("there", flush=True)
        while time.monotonic() < end:
            may_come = self.size + int((time.monotonic() - begun) * AGAIN_PER_SECOND) - self.made
            for _ in range(min(100, self.size - len(self.left), may_come)):
                self.join()
            for key, events in self.selector.select(0.02):
                self.heard(key.fileobj, events)
            if time.monotonic() - dripped > SECONDS_BETWEEN:
                dripped = time.monotonic()
                self.drip()
        print(f"{self.made} came, {self.closed} were sent away")


if __name__ == "__main__":
    kind, port, size, seconds = sys.argv[1:]
    Crowd(int(port), int(size), FIRST[kind]).stay(float(seconds))
