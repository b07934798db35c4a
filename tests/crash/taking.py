# SPDX-License-Identifier: AGPL-3.0-or-later
"""The place of a Mastodon is taken by the program itself: its copy is killed again and again, and in the end every address of
before answers, and tokens, passwords and authenticators of before are good."""
import base64
import hashlib
import hmac
import http.client
import http.cookies
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import time
import urllib.parse
import zipfile

from moving import new_database
from server import ENVIRONMENT, Server

DUMP = pathlib.Path(__file__).resolve().parent.parent.parent.parent / "shared/takeover/mastodon-small.sql"
ADDRESS, POSTS = "https://social.example.org", 20_000
MEDIA = "media_attachments/files/117/545/313/239/040/003/original/dunlin01.jpg"
BOB = "/ap/users/111866491699200077"
TOKEN = "alice-token-kept-by-her-phone-0000000000000"
OLD_CONFIGURATION = """LOCAL_DOMAIN=social.example.org
ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY=ppppppppPrimary0123456789abcdefABCD
ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT=ssssssssSalt0123456789abcdefABCDEF0
VAPID_PRIVATE_KEY=ruzOVh-EXClctGyr8ZYMwLTs7u1PcU_xL_m7eGtpB1c=
VAPID_PUBLIC_KEY=BFOLDn636qDbO3Edra8q4PBIhqoeALu9Fi-6jwGwQANolD7VM7Vb8KfMMBcIqM-a4zpF2Zm0JEIldYKyLlYzAag=
"""
MORE_POSTS = f"""INSERT INTO statuses (id, text, created_at, updated_at, visibility, account_id, local, conversation_id)
    SELECT (1700000000000 + n * 1000)::bigint << 16, 'Post number ' || n, to_timestamp(1700000000 + n) AT TIME ZONE 'UTC',
           now(), 0, 1, true, 1000 + n FROM generate_series(1, {POSTS}) n"""


class Taking:
    def __init__(self, folder, url, target, seed):
        self.folder, self.chance, self.problems, self.kills = folder, random.Random(seed), [], 0
        self.source = new_database(url, f"mastodon_{'postgres' if target else 'sqlite'}")
        subprocess.run(["psql", "-q", self.source, "-f", DUMP], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["psql", "-q", self.source, "-c", MORE_POSTS], check=True)
        (folder / "system" / MEDIA).parent.mkdir(parents=True)
        (folder / "system" / MEDIA).write_text("bytes of a picture")
        (folder / "old").write_text(OLD_CONFIGURATION)
        self.where = ["--data", str(folder / "data"), "--public-url", ADDRESS, "--domain", "social.example.org"]
        self.where += ["--database", target] if target else []

    def command(self, word, *more):
        options = {f"DUNLIN_{name[2:].replace('-', '_').upper()}": value
                   for name, value in zip(self.where[::2], self.where[1::2])}
        source = [] if more else [self.source, "--old-config", self.folder / "old", "--files", self.folder / "system"]
        return subprocess.Popen(
            [os.environ["DUNLIN"], "takeover", word, *source, *more], env=ENVIRONMENT | options, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wrong(self, what):
        self.problems.append(what)

    def ends_well(self, word):
        process = self.command(word)
        said, errors = process.communicate(timeout=300)
        if process.returncode:
            self.wrong(f"takeover {word} ended with {process.returncode}: {said[-300:]} {errors[-300:]}")
        return said

    def killed(self, kills):
        """Where a run came to its end first, the next ones are killed sooner."""
        longest = 2.0
        while self.kills < kills and not self.problems:
            process, begun = self.command("copy"), time.monotonic()
            try:
                process.wait(self.chance.uniform(0.1 * longest, longest))
                longest = min(longest, 0.8 * (time.monotonic() - begun))
            except subprocess.TimeoutExpired:
                process.kill()
                self.kills += 1
            errors = process.communicate()[1]
            if process.returncode not in (0, -signal.SIGKILL):
                self.wrong(f"a copy ended by itself with {process.returncode}: {errors[-300:]}")

    def summary(self):
        return f"takeover: {self.kills} kills of copies"


class Browser:
    def __init__(self, port, address=ADDRESS):
        self.port, self.address, self.cookies = port, address, http.cookies.SimpleCookie()

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {name.replace("_", "-"): value for name, value in headers.items()} | {"Host": self.address.partition("://")[2]}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{c.key}={c.value}" for c in self.cookies.values())
        if body is not None:
            headers["Origin"] = self.address
        if isinstance(body, dict):
            body = urllib.parse.urlencode(body)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.text = answer.read().decode(errors="replace")
        for value in answer.headers.get_all("Set-Cookie") or []:
            self.cookies.load(value)
        connection.close()
        return answer

    def hidden(self, path):
        """What the forms of a page send besides."""
        page = self.ask("GET", path, Accept="text/html").text
        return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))

    def submit(self, path, fields):
        return self.ask("POST", path, self.hidden(path) | fields, Accept="text/html")

    def send_file(self, page, path, name, file):
        """By a form of the page that sends to `path`."""
        border = "a-border-that-no-file-holds"
        parts = [f'--{border}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
                 for field, value in self.hidden(page).items()]
        parts.append(f'--{border}\r\nContent-Disposition: form-data; name="{name}"; filename="{file.name}"\r\n\r\n'.encode()
                     + file.read_bytes() + f"\r\n--{border}--\r\n".encode())
        return self.ask("POST", path, b"".join(parts), Accept="text/html", Content_Type=f"multipart/form-data; boundary={border}")


def code_now(secret):
    """What the app on bob's phone shows."""
    step = int(time.time()) // 30
    digest = hmac.new(base64.b32decode(secret), step.to_bytes(8, "big"), hashlib.sha1).digest()
    at = digest[-1] & 15
    return f"{(int.from_bytes(digest[at:at + 4], 'big') & 0x7fffffff) % 1_000_000:06}"


def ask_as_others(taking, port):
    nobody = Browser(port)
    post, theirs = "/users/alice/statuses/117539654860800017", BOB + "/statuses/117573628723200119"
    for path, member, expected in (
            ("/users/alice", "id", ADDRESS + "/users/alice"),
            (BOB, "id", ADDRESS + BOB),
            ("/actor", "id", ADDRESS + "/actor"),
            (post, "id", ADDRESS + post),
            (post, "attributedTo", ADDRESS + "/users/alice"),
            (theirs, "inReplyTo", ADDRESS + post),
            (BOB + "/statuses/117579291033600136/activity", "object", ADDRESS + post),
            ("/users/alice/statuses/8", "id", ADDRESS + "/users/alice/statuses/8"),
            ("/users/alice/followers", "totalItems", 2)):
        answer = nobody.ask("GET", path, Accept="application/activity+json")
        found = json.loads(answer.text).get(member) if answer.status == 200 else None
        if found != expected:
            taking.wrong(f"{path} answers {answer.status}, {member} is {found}")
    keys = {"/users/alice": "/users/alice#main-key", BOB: BOB + "#main-key", "/actor": "/actor#main-key"}
    for actor, key in keys.items():
        shown = json.loads(nobody.ask("GET", actor, Accept="application/activity+json").text).get("publicKey", {})
        kept = subprocess.run(
            ["psql", "-qtA", taking.source, "-c", {
                "/users/alice": "SELECT public_key FROM accounts WHERE id = 1",
                BOB: "SELECT public_key FROM keypairs WHERE id = 1",
                "/actor": "SELECT public_key FROM accounts WHERE id = -99"}[actor]], capture_output=True, text=True).stdout
        if shown.get("id") != ADDRESS + key or shown.get("publicKeyPem", "").split() != kept.split():
            taking.wrong(f"{actor} has another key than before")
    for path, expected in (("/users/alice/statuses/117596277964800187", 410), ("/users/alice/statuses/117550979481600051", 404)):
        if (status := nobody.ask("GET", path, Accept="application/activity+json").status) != expected:
            taking.wrong(f"{path} answers {status}")
    for path in ("/@alice", "/@alice/117539654860800017"):
        if (status := nobody.ask("GET", path, Accept="text/html").status) != 200:
            taking.wrong(f"{path} answers {status}")
    if nobody.ask("GET", "/system/" + MEDIA).text != "bytes of a picture":
        taking.wrong("a picture is not what it was")


def ask_as_people(taking, port):
    apps = Browser(port)
    for token, expected in ((TOKEN, 200), ("bob-revoked-token-00000000000000000000000000", 401)):
        answer = apps.ask("GET", "/api/v1/accounts/verify_credentials", Authorization=f"Bearer {token}")
        if answer.status != expected:
            taking.wrong(f"the token {token[:12]} is answered {answer.status}")
    said = apps.ask("POST", "/api/v1/statuses", {"status": "after it"}, Authorization=f"Bearer {TOKEN}")
    if said.status != 200 or int(json.loads(said.text)["id"]) <= 117596277964800187:
        taking.wrong(f"a new post is answered {said.status}: {said.text[:200]}")
    for email, password, second, expected in (
            ("alice@example.org", "sandpiper tide 42!", None, 200), ("alice@example.org", "wrong", None, 302),
            ("bob@example.org", "sandpiper tide 42!", None, 302),
            ("bob@example.org", "sandpiper tide 42!", code_now("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"), 200),
            ("bob@example.org", "sandpiper tide 42!", "backup-two", 302),
            ("bob@example.org", "sandpiper tide 42!", "backup-one", 200),
            ("bob@example.org", "sandpiper tide 42!", "backup-one", 302)):
        browser = Browser(port)
        browser.submit("/auth/sign_in", {"user[email]": email, "user[password]": password})
        if second:
            browser.submit("/auth/second_factor", {"code": second})
        if (status := browser.ask("GET", "/settings/account", Accept="text/html").status) != expected:
            taking.wrong(f"{email} with {password!r}{' and a code' if second else ''} is answered {status}")


def rehearse(taking, target):
    """The copy is served before it is finished; a server for everybody is refused."""
    try:
        Server(taking.folder, target, "--domain", "social.example.org", public=ADDRESS).kill()
        taking.wrong("a copy that is not finished is served to everybody")
    except RuntimeError as error:
        if "dunlin takeover finish" not in str(error):
            taking.wrong(f"a copy that is not finished is refused with {str(error)[-300:]}")
    server = Server(taking.folder, target, "--rehearse", "--domain", "social.example.org", "--host-names", "127.0.0.1,localhost",
                    public=ADDRESS)
    try:
        said = Browser(server.port).ask("POST", "/api/v1/statuses", {"status": "rehearsed"}, Authorization=f"Bearer {TOKEN}")
        if said.status != 200:
            taking.wrong(f"in the rehearsal a post is answered {said.status}")
    finally:
        taking.problems += server.stop()


def compare(taking, rehearsed):
    """What the copy and the rehearsal left, before and after another copy."""
    process = taking.command("compare")
    said, errors = process.communicate(timeout=300)
    if process.returncode != (1 if rehearsed else 0):
        taking.wrong(f"takeover compare ended with {process.returncode}: {said[-500:]} {errors[-300:]}")
    if rehearsed and not re.search(rf"posts +{POSTS + 10} +{POSTS + 11}\n", said):
        taking.wrong(f"what was rehearsed is not told: {said[:500]}")
    if "2 people and 200 posts were looked at" not in said:
        taking.wrong(f"too little was compared: {said[-500:]}")


def give_back(taking, target):
    """Since the place was taken there is one post, which is kept."""
    folder = taking.folder / "since"
    process = taking.command("undo", "--to", str(folder))
    said, errors = process.communicate(timeout=300)
    kept = list(folder.glob("*"))
    if process.returncode or [file.name for file in kept] != ["alice.zip"]:
        return taking.wrong(f"takeover undo ended with {process.returncode} and left {kept}: {said[-300:]} {errors[-300:]}")
    with zipfile.ZipFile(kept[0]) as archive:
        outbox = json.loads(archive.read("outbox.json"))
    if [item["object"]["content"] for item in outbox["orderedItems"]] != ["<p>after it</p>"]:
        taking.wrong(f"kept is not what was posted since: {str(outbox)[:500]}")
    try:
        Server(taking.folder, target, "--domain", "social.example.org", public=ADDRESS).kill()
        taking.wrong("a place that was given back is taken by a start")
    except RuntimeError as error:
        if "was given back" not in str(error):
            taking.wrong(f"after giving back a start is refused with {str(error)[-300:]}")


def take_over(folder, url, target, kills, seed):
    """How it went."""
    taking = Taking(folder, url, target, seed)
    lost = taking.ends_well("check")
    if "1 copies of media of other servers, which are fetched again" not in lost:
        taking.wrong(f"the check does not say what is lost: {lost[-300:]}")
    taking.killed(kills)
    taking.ends_well("copy")
    compare(taking, False)
    rehearse(taking, target)
    compare(taking, True)
    if not re.search(rf"posts +{POSTS + 10} +{POSTS + 10}\n", finished := taking.ends_well("finish")):
        taking.wrong(f"not all posts came along: {finished[:500]}")
    if taking.problems:
        return taking
    server = Server(folder, target, "--domain", "social.example.org", "--host-names", "127.0.0.1,localhost", public=ADDRESS)
    try:
        ask_as_others(taking, server.port)
        ask_as_people(taking, server.port)
    finally:
        taking.problems += server.stop()
    give_back(taking, target)
    return taking
