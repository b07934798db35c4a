# SPDX-License-Identifier: AGPL-3.0-or-later
"""The recipes of docs/operating/proxies, each loaded by the proxy it is for: what a visitor, an app and another server see through
it is what they see without."""
import base64
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "crash"))

from activator import ENVIRONMENT  # noqa: E402
from server import Server, free_port, within  # noqa: E402
from systems import Missing  # noqa: E402
from websocket import KEY, TEXT, Frames  # noqa: E402

RECIPES = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/operating/proxies"
SITE, HANDLES = "social.example.org", "example.org"
FORGED = "203.0.113.66"
# What the comments of a recipe say for a socket of this machine.
OVER_A_PATH = {
    "nginx": [("    server 127.0.0.1:{port};\n", ""), ("# server unix:/run/dunlin/http.sock;", "server unix:{path};")],
    "caddy": [("reverse_proxy 127.0.0.1:{port} {{", "reverse_proxy unix/{path} {{")],
}


def certificate(folder, name):
    made = folder / name
    made.mkdir(parents=True)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-keyout", made / "privkey.pem",
                    "-out", made / "fullchain.pem"], check=True, capture_output=True)
    return made


def replaced(text, changes):
    """Each must be there: a recipe that changed is not tested by half."""
    for old, new in changes:
        if old not in text:
            raise RuntimeError(f"the recipe has no {old!r} any more")
        text = text.replace(old, str(new))
    return text


class Proxy:
    """A recipe with ports, paths and certificates of this test, and what the distribution has around it."""

    def __init__(self, folder, name, port, path=None):
        self.folder, self.name = folder, name + ("path" if path else "")
        self.http, self.https = free_port(), free_port()
        for host in (SITE, HANDLES):
            certificate(folder / "certs", host)
        recipe = {"nginx": "nginx.conf", "caddy": "Caddyfile", "apache": "apache.conf", "haproxy": "haproxy.cfg"}[name]
        text = replaced((RECIPES / recipe).read_text(), [("127.0.0.1:3000", f"127.0.0.1:{port}")])
        if path:
            text = replaced(text, [(old.format(port=port), new.format(path=path)) for old, new in OVER_A_PATH[name]])
        command = getattr(self, name)(text)
        program = shutil.which(command[0], path="/usr/sbin:/usr/bin:/usr/local/bin")
        if not program:
            raise Missing(f"{command[0]} is not installed")
        self.log = open(folder / "log", "wb")
        environment = ENVIRONMENT | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        self.process = subprocess.Popen([program, *map(str, command[1:])], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=self.log)
        if not within(30, lambda: self.listens() or self.process.poll() is not None) or self.process.poll() is not None:
            self.end()
            raise RuntimeError(f"{name} does not run:\n{(folder / 'log').read_text()[-2000:]}")

    def listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.https)) == 0

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def put(self, text, name="conf"):
        file = self.folder / name
        file.write_text(text)
        return file

    def nginx(self, text):
        certs = self.folder / "certs"
        text = replaced(text, [("listen 80;", f"listen 127.0.0.1:{self.http};"), ("    listen [::]:80;\n", ""),
                               ("listen 443 ssl http2;", f"listen 127.0.0.1:{self.https} ssl http2;"),
                               ("    listen [::]:443 ssl http2;\n", ""), ("/etc/letsencrypt/live", certs)])
        temporary = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;\n" if os.geteuid() == 0 else ""
        return ["nginx", "-c", self.put(f"{user}daemon off;\npid {self.folder}/pid;\nerror_log stderr;\nevents {{}}\n"
                                        f"http {{\naccess_log off;\n{temporary}{text}}}\n")]

    def caddy(self, text):
        certs, heads = self.folder / "certs", []
        for host in (SITE, HANDLES):  # there is no authority here that would give certificates
            heads.append((f"\n{host} {{\n", f"\n{host} {{\n\ttls {certs}/{host}/fullchain.pem {certs}/{host}/privkey.pem\n"))
        text = replaced(text, heads)
        return ["caddy", "run", "--adapter", "caddyfile", "--config",
                self.put(f"{{\n\tadmin off\n\thttp_port {self.http}\n\thttps_port {self.https}\n}}\n{text}")]

    def apache(self, text):
        modules = pathlib.Path("/usr/lib/apache2/modules")
        asked = re.search(r"a2enmod (.*)", text)[1].split()
        # What a Debian system has switched on, and what those that were asked for need.
        around = ["mpm_event", "authz_core", "socache_shmcb", *asked]
        loading = "".join(f"LoadModule {name}_module {modules}/mod_{name}.so\n" for name in around)
        text = replaced(text, [("*:80", f"127.0.0.1:{self.http}"), ("*:443", f"127.0.0.1:{self.https}"),
                               ("/etc/letsencrypt/live", self.folder / "certs")])
        return ["apache2", "-X", "-d", self.folder, "-f",
                self.put(f"ServerName localhost\nListen 127.0.0.1:{self.http}\nListen 127.0.0.1:{self.https}\n"
                         f"PidFile {self.folder}/pid\nErrorLog {self.folder}/errors\nDefaultRuntimeDir {self.folder}\n"
                         f"{loading}{text}")]

    def haproxy(self, text):
        pairs = self.folder / "pairs"
        pairs.mkdir()
        for host in (SITE, HANDLES):
            files = [self.folder / "certs" / host / name for name in ("fullchain.pem", "privkey.pem")]
            (pairs / f"{host}.pem").write_text("".join(file.read_text() for file in files))
        return ["haproxy", "-db", "-f", self.put(replaced(text, [
            ("bind :80\n", f"bind 127.0.0.1:{self.http}\n"), ("bind :443 ", f"bind 127.0.0.1:{self.https} "),
            ("/etc/haproxy/certs/", f"{pairs}/")]))]


class Visitor:
    """Comes through a proxy, over TLS, under the name of the site."""

    def __init__(self, proxy, host=SITE):
        self.port, self.host = proxy.https, host
        self.context = ssl.create_default_context(cafile=proxy.folder / "certs" / host / "fullchain.pem")

    def socket(self):
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        return self.context.wrap_socket(plain, server_hostname=self.host)

    def ask(self, method, target, body=None, headers=()):
        connection = http.client.HTTPConnection(self.host)
        connection.sock = self.socket()
        connection.request(method, target, body, dict(headers))
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content


def answered(problems, what, seen, wanted):
    if seen != wanted:
        problems.append(f"{what}: {seen!r} instead of {wanted!r}")


def pages(visitor, proxy, _):
    problems = []
    instance, content = visitor.ask("GET", "/api/v2/instance")
    answered(problems, "the instance", instance.status, 200)
    answered(problems, "its domain", json.loads(content)["domain"], HANDLES)
    for accept, kind in (("application/activity+json", "application/activity+json"), ("text/html", "text/html")):
        actor, _ = visitor.ask("GET", "/@alice", headers={"Accept": accept})
        answered(problems, f"the type of a profile for {accept}", (actor.getheader("Content-Type") or "").split(";")[0], kind)
    # What is encoded in an address arrives as it was sent.
    answered(problems, "a hashtag in Japanese", visitor.ask("GET", "/api/v1/timelines/tag/%E7%8C%AB")[0].status, 200)
    plain = http.client.HTTPConnection("127.0.0.1", proxy.http, timeout=30)
    plain.request("GET", "/about?x=%2F", headers={"Host": SITE})
    sent = plain.getresponse()
    answered(problems, "whether http is led on for ever", sent.status in (301, 308), True)
    answered(problems, "where http leads", re.sub(r":\d+/", "/", sent.getheader("Location") or ""), f"https://{SITE}/about?x=%2F")
    return problems


def told(visitor, target, what, **headers):
    answer, said = visitor.ask("POST", target, json.dumps(what), {"Content-Type": "application/json", **headers})
    if answer.status != 200:
        raise RuntimeError(f"{target} answered {answer.status}: {said[:300]!r}")
    return json.loads(said)


def addresses(visitor, proxy, site):
    """Who signs up comes from where the proxy sees them, whatever they say."""
    app = told(visitor, "/api/v1/apps", {"client_name": "app", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": "read write"})
    token = told(visitor, "/oauth/token", {"grant_type": "client_credentials", "scope": "read write", **{
        name: app[name] for name in ("client_id", "client_secret")}})["access_token"]
    told(visitor, "/api/v1/accounts", {"username": proxy.name, "email": f"{proxy.name}@example.com", "agreement": True,
                                       "password": "correct horse battery", "locale": "en"},
         Authorization=f"Bearer {token}", **{"X-Forwarded-For": FORGED, "X-Real-IP": FORGED, "Forwarded": f"for={FORGED}"})
    found = json.loads(visitor.ask("GET", f"/api/v1/admin/accounts?username={proxy.name}",
                                   headers={"Authorization": f"Bearer {site.token}"})[1])
    seen = [account["ip"] for account in found]
    return [] if seen == ["127.0.0.1"] else [f"the server has {seen}"]


def uploads(visitor, _, site):
    """Larger than proxies let through by themselves; what is larger than max_upload_mb is refused by Dunlin's own words."""
    problems = []
    frame = b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"
    token = {"Authorization": f"Bearer {site.token}", "Content-Type": "multipart/form-data; boundary=x"}
    picture = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
    answer, said = visitor.ask("POST", "/api/v2/media", frame + picture + bytes(3 << 20) + b"\r\n--x--\r\n", token)
    if answer.status not in (200, 202):
        problems.append(f"3 MB: {answer.status} {said[:200]!r}")
    try:
        answer, said = visitor.ask("POST", "/api/v2/media", frame + bytes(5 << 20) + b"\r\n--x--\r\n", token)
        answered(problems, "more than max_upload_mb", answer.status, 413)
        answered(problems, "what is said", "error" in json.loads(said), True)
    except (OSError, http.client.HTTPException):
        pass  # it was refused before it had arrived
    return problems


def post(visitor, site, text):
    told(visitor, "/api/v1/statuses", {"status": text}, Authorization=f"Bearer {site.token}")


def heard(stream, word, frames=None):
    """Whether it comes while the stream stays open."""
    stream.settimeout(30)
    seen = b""
    try:
        while data := stream.recv(65536):
            seen += b"".join(content for kind, content in frames.take(data) if kind == TEXT) if frames else data
            if word in seen:
                return True
    except TimeoutError:
        pass
    return False


def head_of(stream):
    seen = b""
    while b"\r\n\r\n" not in seen and (more := stream.recv(1)):
        seen += more
    return seen


def sockets(visitor, _, site):
    with visitor.socket() as stream:
        stream.sendall((f"GET /api/v1/streaming?stream=user HTTP/1.1\r\nHost: {SITE}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\nAuthorization: Bearer {site.token}\r\n\r\n").encode())
        head = head_of(stream)
        if b" 101 " not in head[:16]:
            return [f"no WebSocket: {head[:300]!r}"]
        post(visitor, site, "through a socket")
        return [] if heard(stream, b"through a socket", Frames()) else ["nothing was heard"]


def events(visitor, _, site):
    with visitor.socket() as stream:
        stream.sendall(f"GET /api/v1/streaming/user HTTP/1.1\r\nHost: {SITE}\r\nAuthorization: Bearer {site.token}\r\n\r\n".encode())
        head = head_of(stream)
        if b" 200 " not in head[:16]:
            return [f"no event stream: {head[:300]!r}"]
        post(visitor, site, "through an event stream")
        return [] if heard(stream, b"through an event stream") else ["nothing was heard while the stream was open"]


def handles(_, proxy, __):
    """Of the domain that stands in handles only the documents are led on by which others find the site."""
    problems, elsewhere = [], Visitor(proxy, HANDLES)
    for target in (f"/.well-known/webfinger?resource=acct%3Aalice%40{HANDLES}", "/.well-known/host-meta", "/.well-known/nodeinfo"):
        answer = elsewhere.ask("GET", target)[0]
        answered(problems, target, (answer.status, answer.getheader("Location")), (301, f"https://{SITE}{target}"))
    other, content = elsewhere.ask("GET", "/api/v2/instance")
    if other.status == 200 and b"configuration" in content:
        problems.append("the API answers under the domain of handles")
    return problems


CHECKS = {
    "serves pages, the API and ActivityPub": pages, "hands on the visitor's address, and no other": addresses,
    "lets uploads through": uploads, "passes WebSockets": sockets, "passes event streams as they come": events,
    "leads from the domain of handles to the site": handles,
}


class Site(Server):
    def __init__(self, folder):
        (folder / "data").mkdir()
        (folder / "data/dunlin.toml").write_text(f'domain = "{HANDLES}"\nmax_upload_mb = 4\ncheck_mail_hosts = false\n')
        self.path = folder / "http.sock"
        super().__init__(folder, None, "--listen", f"unix:{self.path}", public=f"https://{SITE}")
        self.run("account", "create", "alice", "--email", "alice@example.org", "--confirmed", "--role", "owner")
        self.token = self.run("token", "create", "alice", "--scopes", "read write admin:read")


def recipes():
    """[(what is checked, [problem...])...]"""
    results = []
    with tempfile.TemporaryDirectory(prefix="dunlin-proxies-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        site = Site(folder)
        try:
            for kind, path in (("nginx", None), ("caddy", None), ("apache", None), ("haproxy", None), ("nginx", site.path),
                               ("caddy", site.path)):
                place = folder / f"{kind}{'-path' if path else ''}"
                place.mkdir()
                proxy = Proxy(place, kind, site.port, path)
                try:
                    visitor = Visitor(proxy)
                    within(10, lambda: visitor.ask("GET", "/health")[0].status == 200)
                    for what, check in CHECKS.items():
                        if path and check not in (pages, addresses, sockets):
                            continue
                        try:
                            problems = check(visitor, proxy, site)
                        except (OSError, RuntimeError, ValueError, http.client.HTTPException) as error:
                            problems = [repr(error)]
                        results.append((f"{kind}{' at a path' if path else ''} {what}", problems))
                finally:
                    proxy.end()
        finally:
            site.stop()
    return results
