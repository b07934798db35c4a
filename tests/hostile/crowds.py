# SPDX-License-Identifier: AGPL-3.0-or-later
"""Many clients that take their time: thousands that connect and say nothing, thousands of strangers that send bodies by
the drop, thousands that never end asking for a WebSocket. Others are served meanwhile, and memory stays bounded. A sample of them, or as many as there may be when
DUNLIN_LONG is set; only then is it said how quickly others must be served, for the machine must be quiet."""
import os
import pathlib
import re
import socket
import subprocess
import sys
import time

from crowd import ADDRESSES
from server import Client

LONG = bool(os.environ.get("DUNLIN_LONG"))
SILENT, BODIES, UPGRADES = (10_000, 2_000, 5_000) if LONG else (1_000, 600, 500)
SECONDS = 20 if LONG else 4
MOST_P99_MS, MOST_MEMORY_MB = 50, 150


def status_of(server, name):
    text = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(rf"{name}:\s+(\d+)", text)[1]) / 1024


def read_meanwhile(server, token, crowd):
    """(milliseconds of each answer, [problem...]); on one connection, and on new ones."""
    steady, times, problems = Client(server.port, token), [], []
    while crowd.poll() is None:
        for client in (steady, Client(server.port, token)):
            begun = time.monotonic()
            try:
                client.get("/api/v1/timelines/home")
            except Exception as error:
                problems.append(f"a read failed: {error!r}")
                steady = Client(server.port, token)
            times.append((time.monotonic() - begun) * 1000)
            if client is not steady:
                client.connection.close()
        time.sleep(0.01)
    return sorted(times), problems


def among(server, token, what, size):
    crowd = subprocess.Popen([sys.executable, pathlib.Path(__file__).parent / "crowd.py", what, *map(str, (server.port, size, SECONDS))],
                             stdout=subprocess.PIPE, text=True)
    crowd.stdout.readline()
    times, problems = read_meanwhile(server, token, crowd)
    if crowd.returncode:
        problems.append("the crowd did not stay")
    p99 = times[len(times) * 99 // 100]
    if LONG and p99 > MOST_P99_MS:
        problems.append(f"99 in 100 within {p99:.0f} ms")
    print(f"among {size} {what} clients of {ADDRESSES} addresses: {len(times)} reads, "
          f"p50 {times[len(times) // 2]:.1f} ms, p99 {p99:.1f} ms, longest {times[-1]:.0f} ms; "
          f"{crowd.stdout.read().strip()}; at most {status_of(server, 'VmHWM'):.0f} MB")
    return problems


def refused_from_the_head(server, token):
    """Problems of heads whose bodies never come: they are answered all the same."""
    large = "Content-Length: 1000000\r\n"
    form = "Content-Type: multipart/form-data; boundary=B\r\n"
    heads = [("an unsigned activity", "/inbox", large, 401),
             ("an upload with a made-up token", "/api/v2/media", large + form + "Authorization: Bearer x\r\n", 401),
             ("an upload with a token that may not", "/api/v1/push/subscription",
              large + form + f"Authorization: Bearer {token}\r\n", 403),
             ("a body for nothing", "/api/v1/nothing", large, 404),
             ("a form above its limit", "/api/v1/apps", "Content-Length: 2000000\r\n", 413)]
    problems = []
    for what, path, fields, wanted in heads:
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
            client.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n".encode())
            try:
                answer = client.recv(4096)
            except TimeoutError:
                answer = b""
            if f" {wanted} ".encode() not in answer[:20]:
                problems.append(f"{what}: {answer[:60]!r} instead of {wanted}")
    kept = [path.name for path in (server.data / "spool").iterdir()]
    return problems + [f"{len(kept)} files are kept"] * bool(kept)


def crowds(server):
    """[(what is checked, [problem...])...]"""
    _, token = server.account("reader")
    outcomes = [("who may not send a body hears so before it comes", refused_from_the_head(server, token)),
                (f"{SILENT} silent connections keep nobody out", among(server, token, "silent", SILENT)),
                (f"{UPGRADES} WebSockets that are asked for by halves keep nobody out", among(server, token, "upgrading", UPGRADES)),
                (f"{BODIES} slow bodies keep nobody out", among(server, token, "dripping", BODIES))]
    most = status_of(server, "VmHWM")
    outcomes.append((f"slow bodies of strangers fit into {MOST_MEMORY_MB} MB",
                     [f"{most:.0f} MB"] if most > MOST_MEMORY_MB else []))
    return outcomes + [("its log has no error", server.errors())]
