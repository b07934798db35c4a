# SPDX-License-Identifier: AGPL-3.0-or-later
"""Ports for servers that are told where to listen."""
import random
import socket

# Below what the system gives to connections that go out: nobody is given such a port while a server is being started, or
# between its end and its next start.
OURS = range(20000, 32000)


def free_port():
    while True:
        port = random.choice(OURS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
