# SPDX-License-Identifier: AGPL-3.0-or-later
"""HTTPS by itself: the server has certificates issued by Debian's pebble, an authority made for tests, which refuses good nonces as it
likes, looks at proofs for real, and is away at times."""
import http.client
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "crash"))

from proxies import certificate, free_port  # noqa: E402
from server import ENVIRONMENT, Server, within  # noqa: E402
from systems import Missing  # noqa: E402

SITE, REFUSED = "social.example.org", "refused.example.org"


class Authority:
    """pebble, and the DNS of its own by which every name is this machine."""

    def __init__(self, folder, http_port, https_port, bad_nonces=30, seconds=1):
        for program in ("pebble", "pebble-challtestsrv"):
            if not shutil.which(program):
                raise Missing(f"{program} is not installed (Debian's package pebble)")
        self.folder, self.port, self.management, self.dns = folder, free_port(), free_port(), free_port()
        files = certificate(folder, "localhost")
        self.ca_file = files / "fullchain.pem"
        self.environment = ENVIRONMENT | {"PEBBLE_WFE_NONCEREJECT": str(bad_nonces), "PEBBLE_VA_SLEEPTIME": str(seconds), "PEBBLE_AUTHZREUSE": "0"}
        (folder / "pebble.json").write_text(json.dumps({"pebble": {
            "listenAddress": f"127.0.0.1:{self.port}", "managementListenAddress": f"127.0.0.1:{self.management}",
            "certificate": str(self.ca_file), "privateKey": str(files / "privkey.pem"), "httpPort": http_port, "tlsPort": https_port,
            "domainBlocklist": [REFUSED], "externalAccountBindingRequired": False}}))
        self.log = open(folder / "pebble.log", "wb")
        self.names = subprocess.Popen(
            ["pebble-challtestsrv", "-dns01", f"127.0.0.1:{self.dns}", "-defaultIPv4", "127.0.0.1", "-defaultIPv6", "", "-http01", "",
             "-https01", "", "-tlsalpn01", "", "-management", f"127.0.0.1:{free_port()}"], stdout=self.log, stderr=self.log)
        self.process = None
        self.begin()

    def begin(self):
        self.process = subprocess.Popen(["pebble", "-config", self.folder / "pebble.json", "-dnsserver", f"127.0.0.1:{self.dns}"],
                                        env=self.environment, stdout=self.log, stderr=self.log)
        if not within(20, self.answers):
            raise RuntimeError(f"pebble does not run:\n{(self.folder / 'pebble.log').read_text()[-2000:]}")

    def answers(self):
        try:
            return self.root()
        except OSError:
            return None

    def root(self):
        """The certificate that all of this run lead up to, PEM."""
        trusted = ssl.create_default_context(cafile=self.ca_file)
        with urllib.request.urlopen(f"https://localhost:{self.management}/roots/0", context=trusted, timeout=5) as answer:
            return answer.read().decode()

    def leave(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.leave()
        self.names.kill()
        self.names.wait()
        self.log.close()

    def count(self, what):
        return (self.folder / "pebble.log").read_text().count(what)


class Site(Server):
    """A server that speaks HTTPS and has nobody's certificate."""

    def __init__(self, folder, authority_port, ca_file, https_port, *settings, name=SITE, database=None):
        self.https = https_port
        folder.mkdir()
        super().__init__(folder, database, "--tls-listen", f"127.0.0.1:{https_port}", "--acme-directory",
                         f"https://localhost:{authority_port}/dir", "--extra-ca-file", str(ca_file), *settings, public=f"https://{name}")

    def shown(self, root=None):
        """What is presented to who asks for the name, as `ssl` tells it; nothing while there is none that is believed."""
        context = ssl.create_default_context(cadata=root) if root else ssl._create_unverified_context()
        connection = http.client.HTTPSConnection("127.0.0.1", self.https, timeout=5, context=context)
        try:
            with context.wrap_socket(connection._create_connection(("127.0.0.1", self.https), 5), server_hostname=SITE) as secured:
                secured.sendall(f"GET /livez HTTP/1.1\r\nHost: {SITE}\r\nConnection: close\r\n\r\n".encode())
                if not secured.recv(100).startswith(b"HTTP/1.1 200"):
                    return None
                return ssl.DER_cert_to_PEM_cert(secured.getpeercert(binary_form=True))
        except OSError:
            return None

    def state(self):
        done = subprocess.run([os.environ["DUNLIN"], "certificate", "--json", *self.where, *self.settings], capture_output=True, text=True,
                              env=ENVIRONMENT, timeout=30)
        if done.returncode:
            raise RuntimeError(done.stdout + done.stderr)
        return json.loads(done.stdout)

    def renew(self):
        subprocess.run([os.environ["DUNLIN"], "certificate", "renew", *self.where, *self.settings], check=True, capture_output=True,
                       env=ENVIRONMENT, timeout=30)

    def rows(self, table):
        with sqlite3.connect(f"file:{self.data}/dunlin.db?mode=ro", uri=True, timeout=10) as database:
            return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def sent_on(site):
    """Who comes without HTTPS from afar; who is near is served."""
    problems = []
    for method, afar, wanted in [("GET", True, 308), ("POST", True, 308), ("GET", False, 404)]:
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
        connection.request(method, "/nothing?here=1", body="a=b" if method == "POST" else None,
                           headers={"Host": SITE} | ({"X-Forwarded-For": "203.0.113.66"} if afar else {}))
        answer = connection.getresponse()
        there = answer.getheader("Location")
        if answer.status != wanted or (wanted == 308 and there != f"https://{SITE}/nothing?here=1"):
            problems.append(f"{method} from {'afar' if afar else 'here'}: {answer.status} {there}")
        connection.close()
    return problems


def issued_and_renewed(folder):
    problems, https = [], free_port()
    authority = Authority(folder / "authority", free_port(), https)
    site = Site(folder / "site", authority.port, authority.ca_file, https)
    try:
        root = authority.root()
        first = within(60, lambda: site.shown(root))
        if not first:
            return [f"no certificate came: {site.state()}"]
        if site.rows("acme_orders") or site.rows("acme_challenges"):
            problems.append("what was needed for the order stayed")
        problems += sent_on(site)
        site.renew()
        second = within(60, lambda: (now := site.shown(root)) and now != first and now)
        if not second:
            problems.append(f"it was not renewed: {site.state()}")
        # Away: what there is stays in use, and the operator hears of it.
        authority.leave()
        site.renew()
        told = within(60, lambda: (state := site.state())["failure"] and state)
        if not told or "does not answer" not in told["failure"] or not told["next_try"]:
            problems.append(f"nobody hears that the authority is away: {told}")
        if site.shown() != second:
            problems.append("the certificate there was is gone")
        site.kill()
        site.start()
        if not within(10, lambda: site.shown() == second):
            problems.append("a server that starts without the authority has no certificate")
        # It comes back and has forgotten everybody, as pebble keeps nothing.
        authority.begin()
        root = authority.root()
        if not within(200, lambda: site.shown(root)):
            problems.append(f"an authority that has forgotten the account issues nothing any more: {site.state()}")
        return problems
    finally:
        site.kill()
        authority.end()


def refused(folder):
    https = free_port()
    authority = Authority(folder / "authority", free_port(), https, bad_nonces=0)
    site = Site(folder / "site", authority.port, authority.ca_file, https, name=REFUSED)
    try:
        state = within(60, lambda: (state := site.state())["failure"] and state)
        if not state:
            return ["a refusal is not told"]
        problems = [] if "rejectedIdentifier" in state["failure"] and REFUSED in state["failure"] else [f"other words: {state}"]
        time.sleep(8)
        if site.state()["failed_at"] != state["failed_at"]:
            problems.append("it asks again at once")
        if site.shown():
            problems.append("something was issued")
        return problems
    finally:
        site.kill()
        authority.end()


def killed(folder, moments):
    """At each step that is written down, and some in between."""
    problems = []
    for at, table in moments:
        https = free_port()
        place = folder / f"{table}-{at}"
        authority = Authority(place / "authority", free_port(), https, bad_nonces=5)
        site = Site(place / "site", authority.port, authority.ca_file, https)
        try:
            if not within(60, lambda: site.rows(table)):
                problems.append(f"{table}: nothing came")
                continue
            time.sleep(at)
            site.kill()
            site.start()
            # Longer than it waits after two that failed: when the authority looks while nobody is there, the other way is
            # tried next, which nobody answers here, and then this one again.
            if not within(360, lambda: site.shown(authority.root())):
                problems.append(f"killed {at} s after {table}: no certificate: {site.state()}")
            # A kill also costs an order before it is written down, and each look of the authority that nobody answers one.
            orders = authority.count("Added order")
            lost = (table == "acme_accounts") + authority.count("INVALID")
            if orders > 1 + lost or authority.count("Issued certificate serial") != 1:
                problems.append(f"killed {at} s after {table}: {orders} orders")
        finally:
            site.kill()
            authority.end()
    return problems


def by_http(folder):
    """Where port 443 is not ours, the second way is tried."""
    http_port, https = free_port(), free_port()
    authority = Authority(folder / "authority", http_port, free_port())
    site = Site(folder / "site", authority.port, authority.ca_file, https, "--listen", f"127.0.0.1:{http_port}")
    try:
        return [] if within(150, lambda: site.shown(authority.root())) else [f"no certificate came: {site.state()}"]
    finally:
        site.kill()
        authority.end()


def shared(folder, database):
    """Two nodes of a site, one of which the authority reaches: whoever asks, both show the same, and one order is enough."""
    problems, https = [], free_port()
    authority = Authority(folder / "authority", free_port(), https)
    nodes = []
    try:
        for number, port in enumerate((https, free_port())):
            nodes.append(Site(folder / f"node{number}", authority.port, authority.ca_file, port, database=database))
        root, before = authority.root(), None
        for orders in (1, 2, 3):
            same = lambda: (one := nodes[0].shown(root)) and one != before and one == nodes[1].shown(root) and one
            now = within(90, same)
            if not now:
                problems.append(f"they do not show the same new certificate: {nodes[0].state()}")
            if authority.count("Added order") != orders:
                problems.append(f"{authority.count('Added order')} orders instead of {orders}")
            before = now
            if orders < 3:
                nodes[orders % 2].renew()
        return problems
    finally:
        for node in nodes:
            node.kill()
        authority.end()


def issued():
    long = bool(os.environ.get("DUNLIN_LONG"))
    steps = ["acme_accounts", "acme_orders", "acme_challenges", "acme_certificates"]
    moments = [(at, table) for table in steps for at in ((0, 0.3, 1, 2) if long else (0,))]
    results = []
    for name, check in [("a certificate is issued, renewed, and outlives its authority", issued_and_renewed),
                        ("a refusal is told in the authority's words, and not asked for again at once", refused),
                        (f"killed at {len(moments)} moments, it goes on", lambda folder: killed(folder, moments)),
                        *([("over HTTP, where HTTPS is not reached", by_http)] if long else [])]:
        with tempfile.TemporaryDirectory(prefix="dunlin-acme-") as folder:
            results.append((name, check(pathlib.Path(folder))))
    return results
