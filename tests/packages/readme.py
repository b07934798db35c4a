# SPDX-License-Identifier: AGPL-3.0-or-later
"""The first command of the README, on a system that has nothing but Debian's package manager."""
import http.client
import re
import sys
import time
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "crash"))

from proxies import free_port  # noqa: E402
from systems import ROOT, System, run  # noqa: E402

PATIENCE = 3000  # seconds, of which most go into compiling


def answer(port, target):
    """(status, body), or none while nobody listens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", target)
        found = connection.getresponse()
        return found.status, found.read().decode(errors="replace")
    except OSError:
        return None
    finally:
        connection.close()


def pages(port, said):
    """[problem...]: what somebody sees who follows what was printed."""
    problems = []
    setup = re.search(r"http://localhost:\d+(/\S+)", said)
    if not setup or answer(port, setup[1])[0] != 200:
        problems.append(f"no page makes the owner's account: {said[-1000:]}")
    # The service worker names all files of the web client.
    for target in ("/about", "/static/style.css", "/sw.js", "/api/v2/instance"):
        status, body = answer(port, target)
        if status != 200:
            problems.append(f"{target} is answered {status}: {body[:200]}")
    return problems


def command():
    """[(what is checked, [problem...])...]; raises Missing."""
    with System("12") as system:
        run("git", "clone", "-q", ROOT, system.path("/opt/dunlin"))
        port, out = free_port(), system.path("/tmp/out")
        server = system.start(f"cd /opt/dunlin && exec script/server --listen 127.0.0.1:{port} >/tmp/out 2>&1")
        try:
            end = time.monotonic() + PATIENCE
            while not answer(port, "/health"):
                if server.poll() is not None or time.monotonic() > end:
                    return [("script/server serves on a bare Debian 12", [f"it does not: {out.read_text()[-3000:]}"])]
                time.sleep(2)
            return [("script/server serves on a bare Debian 12", pages(port, out.read_text())),
                    ("and needs no Node.js", ["it is installed"] if system.path("/usr/bin/node").exists() else [])]
        finally:
            server.kill()
            server.wait()
