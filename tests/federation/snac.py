# SPDX-License-Identifier: AGPL-3.0-or-later
"""snac, a small server in C."""
import json
import re
import shutil
import socket
import subprocess
import urllib.parse

from servers import ENVIRONMENT, Person, Process, ask, eventually, free_port


def snac_is_missing():
    return None if shutil.which("snac") else "snac is not installed (Debian's package snac2)"


class Snac(Process):
    """snac, which offers its people the same client API."""

    def __init__(self, folder):
        self.port = free_port()
        self.host = f"127.0.0.1:{self.port}"
        self.origin = f"http://{self.host}"
        self.count = 0
        folder.mkdir()
        self.data = folder / "data"
        self.run("init", self.data, given=f"127.0.0.1\n{self.port}\n{self.host}\n\n\n")
        settings = json.loads((self.data / "server.json").read_text())
        (self.data / "server.json").write_text(json.dumps(settings | {"protocol": "http", "dbglevel": 1}))
        super().__init__(folder, ["snac", "httpd", str(self.data)])
        eventually("snac is ready", lambda: reachable(self.port))

    def run(self, command, *words, given="\n"):
        done = subprocess.run(["snac", command, *map(str, words)], input=given, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=ENVIRONMENT, timeout=60)
        if done.returncode:
            raise RuntimeError(f"snac {command} ended with {done.returncode}: {done.stdout[-500:]}")
        return done.stdout

    def person(self, name, **facts):
        self.count += 1
        name = f"{name}{self.count}"
        password = re.search(r"password is (\S+)", self.run("adduser", self.data, name))[1]
        form = urllib.parse.urlencode({"login": name, "passwd": password, "redir": "", "cid": "", "state": ""}).encode()
        page = ask("POST", self.origin + "/oauth/x-snac-get-token", form, {"Content-Type": "application/x-www-form-urlencoded"})
        person = Person(self, name, re.search(r"[0-9a-f]{32,}", page.body.decode())[0])
        person.uri = f"{self.origin}/{name}"
        if facts:
            person.patch("/api/v1/accounts/update_credentials", **facts)
        return person

    def idle(self):
        eventually("snac has nothing to do", lambda: not any(self.data.glob("queue/*.json")))


def reachable(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
