# SPDX-License-Identifier: AGPL-3.0-or-later
"""WebSockets, byte by byte, as a client makes them."""
import socket

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
PONG = b"\x8a\x80\0\0\0\0"
TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9


def asking(target, token):
    return (f"GET {target} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\nAuthorization: Bearer {token}\r\n\r\n").encode()


def handshake(port, target, token, source=None):
    """An open WebSocket, with nothing read of what comes after the answer's head."""
    client = socket.create_connection(("127.0.0.1", port), timeout=20, source_address=source)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.sendall(asking(target, token))
    end, seen = 0, b"unread"
    while not end and seen:
        seen = client.recv(4096, socket.MSG_PEEK)
        end = seen.find(b"\r\n\r\n") + 4 if b"\r\n\r\n" in seen else 0
    head = client.recv(end or 4096)
    if not head.startswith(b"HTTP/1.1 101"):
        client.close()
        raise ConnectionRefusedError(f"no WebSocket at {target}: {head[:200]!r}")
    return client


def frame(data, kind=TEXT, last=True):
    """As a client sends it, with a mask that changes nothing."""
    data = data.encode() if isinstance(data, str) else data
    if len(data) < 126:
        size = bytes([0x80 | len(data)])
    elif len(data) < 1 << 16:
        size = b"\xfe" + len(data).to_bytes(2, "big")
    else:
        size = b"\xff" + len(data).to_bytes(8, "big")
    return bytes([(0x80 if last else 0) | kind]) + size + b"\0\0\0\0" + data


def frame_parts(data):
    """(where the content of the first frame begins, where it ends), when that can be told."""
    if len(data) < 2:
        return None
    size, head = data[1] & 0x7f, 2
    if size == 126:
        size, head = int.from_bytes(data[2:4], "big"), 4
    elif size == 127:
        size, head = int.from_bytes(data[2:10], "big"), 10
    return (head, head + size) if len(data) >= head else None


class Frames:
    """What comes, frame by frame."""

    def __init__(self):
        self.rest = b""

    def take(self, data):
        """[(kind, content)...]"""
        data, found = self.rest + data, []
        while (parts := frame_parts(data)) and len(data) >= parts[1]:
            found.append((data[0] & 15, data[parts[0]:parts[1]]))
            data = data[parts[1]:]
        self.rest = data
        return found


def closed_with(client, seconds=30, frames=None):
    """The code with which the server closed; 0 for none, None when it did not close."""
    frames = frames or Frames()
    client.settimeout(seconds)
    try:
        while data := client.recv(65536):
            for kind, content in frames.take(data):
                if kind == CLOSE:
                    return int.from_bytes(content[:2], "big")
        return 0
    except TimeoutError:
        return None
    except OSError:
        return 0
