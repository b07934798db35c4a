# SPDX-License-Identifier: AGPL-3.0-or-later
"""The server under test: started, killed and started again on the same data."""
import http.client
import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from ports import free_port  # noqa: E402

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("DUNLIN")}


def within(seconds, look):
    """What `look` answers, as soon as that is something."""
    end = time.monotonic() + seconds
    while not (found := look()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


class Refused(Exception):
    def __init__(self, method, path, status, body):
        super().__init__(f"{method} {path} answered {status}: {body[:300]!r}")
        self.status = status


class Client:
    """One keep-alive connection, one token. Lost connections are the caller's business."""

    def __init__(self, port, token):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, method, path, body=None, **headers):
        text = json.dumps(body) if body is not None else None
        self.connection.request(method, path, text, self.headers | {k.replace("_", "-"): v for k, v in headers.items()})
        response = self.connection.getresponse()
        answer = response.read()
        if response.status != 200:
            raise Refused(method, path, response.status, answer)
        self.link = response.getheader("Link") or ""
        return json.loads(answer)

    def get(self, path):
        try:
            return self.ask("GET", path)
        except http.client.RemoteDisconnected:  # it was idle for long, as on a busy machine: asked once more on a new one
            self.connection.close()
            return self.ask("GET", path)

    def post(self, path, body=None, **headers):
        return self.ask("POST", path, body, **headers)

    def all(self, path):
        """Every entry of every page."""
        entries = []
        while path:
            page = self.get(path)
            entries += page
            following = re.search(r'<https?://[^/>]+([^>]+)>; rel="next"', self.link)
            path = following[1] if page and following else None
        return entries


class Server:
    def __init__(self, folder, database, *settings, public="http://localhost:{port}", limits=False):
        self.folder = folder
        self.data = folder / "data"
        self.log = folder / "log"
        self.port = free_port()
        self.database = database
        self.where = ["--data", str(self.data), "--public-url", public.format(port=self.port)]
        if database:
            self.where += ["--database", database]
        self.settings = settings if limits else ("--no-rate-limits", *settings)
        self.process = None
        self.start()

    def start(self):
        """Seconds until it answered."""
        begun = time.monotonic()
        self.launch()
        while not self.healthy():
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode} at its start:\n{self.tail()}")
            if time.monotonic() - begun > 60:
                raise RuntimeError(f"the server does not answer within 60 s of its start:\n{self.tail()}")
            time.sleep(0.005)
        return time.monotonic() - begun

    def launch(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [os.environ["DUNLIN"], "serve", *self.where, "--listen", f"127.0.0.1:{self.port}", *self.settings],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=ENVIRONMENT)

    def healthy(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def metric(self, name):
        text = urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=20).read().decode()
        found = re.search(rf"^{name} (\S+)", text, re.M)
        return float(found[1]) if found else None

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(20)
        except subprocess.TimeoutExpired:
            return ["it still runs 20 s after SIGTERM"]
        return [] if status == 0 else [f"it ended with {status}:\n{self.tail()}"]

    def tail(self):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-20:])

    def errors(self):
        found = re.compile(r" error: |Sanitizer|runtime error")
        return [line for line in self.log.read_text(errors="replace").splitlines() if found.search(line)]

    def file_problems(self):
        database = sqlite3.connect(self.data / "dunlin.db")
        try:
            whole = [row[0] for row in database.execute("PRAGMA integrity_check") if row[0] != "ok"]
            dangling = [f"a row of {row[0]} refers to a missing row of {row[2]}"
                        for row in database.execute("PRAGMA foreign_key_check")]
            return whole + dangling
        finally:
            database.close()

    def run(self, *words):
        done = subprocess.run([os.environ["DUNLIN"], *words, *self.where], env=ENVIRONMENT, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode:
            raise RuntimeError(f"dunlin {' '.join(words[:3])} ended with {done.returncode}: {done.stderr}")
        return done.stdout.strip()

    def account(self, name):
        """The id and the token of a new account."""
        made = json.loads(self.run("account", "create", name, "--email", f"{name}@example.org", "--password",
                                   "correct horse battery", "--confirmed", "--json"))
        return made["id"], self.run("token", "create", name, "--scopes", "read write follow")
