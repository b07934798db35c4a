# SPDX-License-Identifier: AGPL-3.0-or-later
"""Media in a bucket: shared by nodes, while it is slow, fails, breaks off or refuses us, and on their way there and back. Each
check answers [problem...]."""
import http.client
import json
import os
import pathlib
import signal
import subprocess
import threading
import time
import urllib.request
import zlib

from server import ENVIRONMENT, Client, within

SUPPORT = pathlib.Path(__file__).resolve().parent.parent / "support"


class Bucket:
    """tests/support/s3_server.py, which verifies every signature."""

    def __init__(self, folder):
        self.folder = folder / "bucket"
        self.process = subprocess.Popen(["/usr/bin/python3", SUPPORT / "s3_server.py", self.folder], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.options = {"s3_endpoint": f"http://127.0.0.1:{self.port}", "s3_bucket": "pictures", "s3_region": "eu-test-1",
                        "s3_access_key": "AKIAEXAMPLE", "s3_secret_key": "a/secret+key"}

    def flags(self, **more):
        return [word for name, value in (self.options | more).items() for word in ("--" + name.replace("_", "-"), value)]

    def faults(self, **faults):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/_faults", json.dumps(faults).encode())
        urllib.request.urlopen(request, timeout=10).read()

    def seen(self):
        return json.loads(urllib.request.urlopen(f"http://127.0.0.1:{self.port}/_seen", timeout=10).read())

    def names(self):
        return {key for key in self.seen()["objects"] if not key.startswith(".check/")}

    def stop(self):
        self.process.kill()
        self.process.wait()


def png(number, side=48):
    """A picture like no other."""
    chunk = lambda kind, data: len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    rows = b"".join(b"\0" + bytes((x * 5 + number * 31, y * 5, number % 256)[c] % 256 for x in range(side) for c in range(3)) for y in range(side))
    head = side.to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def ask(node, method, path, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", node.port, timeout=60)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()
    finally:
        connection.close()


def upload(node, token, number):
    body = (b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n" +
            png(number) + b"\r\n--x--\r\n")
    status, _, answer = ask(node, "POST", "/api/v2/media", body, Authorization=f"Bearer {token}",
                            Content_Type="multipart/form-data; boundary=x")
    return status, json.loads(answer)


def path_of(media, name="url"):
    return "/media/" + media[name].split("/media/", 1)[1]


def look(node, medium):
    return [problem for name in ("url", "preview_url") for problem in [ask(node, "GET", path_of(medium, name))[0]] if problem != 200]


def others_read_it(site, bucket, token):
    first, last = site.nodes[0], site.nodes[-1]
    status, medium = upload(first, token, 1)
    if status != 200:
        return [f"an upload answered {status}: {medium}"]
    problems = []
    there, here = ask(last, "GET", path_of(medium)), ask(first, "GET", path_of(medium))
    wanted = {"Content-Type": "image/png", "Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff",
              "Content-Security-Policy": "default-src 'none'; form-action 'none'", "Accept-Ranges": "bytes", "Access-Control-Allow-Origin": "*"}
    for status, headers, body in (there, here):
        problems += [f"{name} is {headers.get(name)}" for name, value in wanted.items() if headers.get(name) != value]
        if status != 200 or len(body) != int(headers["Content-Length"]) or not body:
            problems.append(f"it answered {status} with {len(body)} bytes")
    if there[1]["ETag"] != here[1]["ETag"] or there[2] != here[2]:
        problems.append("the nodes answer differently")
    for again, wanted in ((dict(If_None_Match=there[1]["ETag"]), 304), (dict(Range="bytes=3-9"), 206), (dict(Range="bytes=99999999-"), 416)):
        status, headers, body = ask(last, "GET", path_of(medium), **again)
        if status != wanted or (wanted == 206 and body != there[2][3:10]):
            problems.append(f"{again} answered {status}: {body[:20]!r}")
    if (status := ask(last, "HEAD", path_of(medium))[0]) != 200:
        problems.append(f"HEAD answered {status}")
    if (status := ask(last, "GET", "/media/media/ab/" + 32 * "0" + ".png")[0]) != 404:
        problems.append(f"what there is not answered {status}")
    if any(node.data.joinpath("media", path_of(medium)[7:]).exists() for node in site.nodes):
        problems.append("the file is in a folder, too")
    return problems


def failures_are_got_over(site, bucket, token):
    problems, media = [], []
    for faults in (dict(fail_every=3), dict(fail_every=3, status=500), dict(reset_every=3), dict(slow=0.3)):
        bucket.faults(**faults)
        for number in range(6):
            status, medium = upload(site.nodes[0], token, 100 + len(media))
            problems += [] if status == 200 else [f"{faults}: an upload answered {status}"]
            media += [medium] if status == 200 else []
        problems += [f"{faults}: reading answered {found}" for medium in media[-6:] for found in look(site.nodes[-1], medium)]
    bucket.faults()
    site.nodes[0].kill()
    site.nodes[0].start()
    return problems + [f"after a kill: {found}" for medium in media for found in look(site.nodes[0], medium)]


def refusals_are_said(site, bucket, token):
    problems, node = [], site.nodes[0]
    for code, said in (("InvalidAccessKeyId", "the access key is not known there"), ("SignatureDoesNotMatch", "the secret key does not fit")):
        before = len(bucket.names())
        bucket.faults(refuse=code)
        status, answer = upload(node, token, 200)
        if status != 503 or "error" not in answer:
            problems.append(f"{code}: an upload answered {status}: {answer}")
        bucket.faults()
        if len(bucket.names()) != before:
            problems.append(f"{code}: something was left")
        if not within(8, lambda: any(said in line for line in node.errors())):
            problems.append(f"{code}: the log does not say why")
        time.sleep(5)  # the same is said once in five seconds
    if (status := upload(node, token, 201)[0]) != 200:
        problems.append(f"afterwards an upload answered {status}")
    for wrong, option in ((dict(s3_access_key="AKIAOTHER"), "s3_access_key: "), (dict(s3_secret_key="no"), "s3_secret_key: "),
                          (dict(s3_bucket="other"), "s3_bucket: "), (dict(s3_region="us-east-1"), "s3_region: "),
                          (dict(s3_endpoint="http://127.0.0.1:1"), "s3_endpoint: ")):
        done = subprocess.run([os.environ["DUNLIN"], "config", "check", *node.where, *bucket.flags(media_store="s3", **wrong)],
                              env=ENVIRONMENT, text=True, capture_output=True, check=False)
        if done.returncode == 0 or option not in done.stdout + done.stderr or "a/secret+key" in done.stdout + done.stderr:
            problems.append(f"config check with {wrong} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return problems


def slowness_holds_up_nobody_else(site, bucket, token):
    """While many wait for the bucket, passwords and pages do not."""
    bucket.faults(slow=3)
    node, results = site.nodes[0], []
    threads = [threading.Thread(target=lambda n=n: results.append(upload(node, token, 300 + n)[0])) for n in range(10)]
    threads += [threading.Thread(target=lambda n=n: results.append(ask(node, "GET", f"/media/media/ab/{n:032x}.png")[0])) for n in range(10)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    slowest = 0
    for _ in range(10):
        begun = time.monotonic()
        Client(node.port, token).get("/api/v1/accounts/verify_credentials")
        slowest = max(slowest, time.monotonic() - begun)
    for thread in threads:
        thread.join()
    bucket.faults()
    print(f"  a request took {slowest * 1000:.0f} ms at most meanwhile; {sorted(results)}", flush=True)
    problems = [] if slowest < 1 else [f"a request took {slowest:.1f} s"]
    return problems + [f"answers: {sorted(results)}"] * (not set(results) <= {200, 404, 503} or results.count(200) < 8)


def withheld_is_not_read(site, bucket, token):
    _, medium = upload(site.nodes[0], token, 400)
    name = path_of(medium)[7:]
    site.nodes[0].run("account", "suspend", "alice")
    if not within(30, lambda: ".withheld/" + name in bucket.names() and name not in bucket.names()):
        return ["the file of a suspended account stays where it is"]
    problems = [f"node {n} answered {s}" for n, node in enumerate(site.nodes) for s in [ask(node, "GET", path_of(medium))[0]] if s != 404]
    site.nodes[0].run("account", "unsuspend", "alice")
    if not within(30, lambda: ask(site.nodes[-1], "GET", path_of(medium))[0] == 200):
        problems.append("it does not come back")
    return problems


def removed_is_gone(site, bucket, token):
    status, medium = upload(site.nodes[0], token, 500)
    name = path_of(medium)[7:]
    status = ask(site.nodes[0], "DELETE", f"/api/v1/media/{medium['id']}", Authorization=f"Bearer {token}")[0]
    if status != 200:
        return [f"DELETE answered {status}"]
    return [] if within(30, lambda: name not in bucket.names()) else ["a file that was deleted is still in the bucket"]


# ---- there and back ----

def migrate(node, to, *words):
    done = subprocess.run([os.environ["DUNLIN"], "media", "migrate", "--to", to, "--json", *words, *node.where], env=ENVIRONMENT,
                          text=True, capture_output=True, check=False)
    return json.loads(done.stdout) if done.stdout.strip() else {"failed": done.stderr}


def settle(node, bucket, store):
    node.kill()
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in (bucket.options | {"media_store": store}).items()]
    (node.data / "dunlin.toml").write_text("".join(lines))
    node.start()


def files_of(node):
    return sorted(p for p in (node.data / "media").rglob("*") if p.is_file() and ".work" not in p.parts)


def moves_there_and_back(node, bucket):
    _, token = node.account("alice")
    media = [upload(node, token, number)[1] for number in range(30)]
    before = {path_of(m, n): ask(node, "GET", path_of(m, n))[2] for m in media for n in ("url", "preview_url")}
    problems = []

    def check(when):
        for path, body in before.items():
            if ask(node, "GET", path)[2] != body:
                problems.append(f"{when}: {path} is not what it was")

    def expect(when, report, **wanted):
        problems.extend(f"{when}: {name} is {report.get(name)}: {report}" for name, value in wanted.items() if report.get(name) != value)

    count = len(files_of(node))
    settle(node, bucket, "folder")
    expect("tried out", migrate(node, "s3", "--dry-run"), copied=count, failed=0)
    if bucket.names():
        problems.append("what was tried out was done")
    if "failed" not in migrate(node, "s3", "--remove") or len(files_of(node)) != count:
        problems.append("it would remove where the server keeps its files")
    # Killed on the way, and begun again while the bucket fails.
    bucket.faults(slow=0.05)
    cut = subprocess.Popen([os.environ["DUNLIN"], "media", "migrate", "--to", "s3", *node.where], env=ENVIRONMENT,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    within(20, lambda: len(bucket.names()) > 8)
    cut.send_signal(signal.SIGKILL)
    cut.wait()
    done_before = len(bucket.names())
    bucket.faults(fail_every=5)
    report = migrate(node, "s3")
    bucket.faults()
    expect("the second run", report, failed=0, files=count)
    if not 0 < report.get("there", 0) <= done_before + 8 or report["there"] + report["copied"] != count:
        problems.append(f"the second run did not go on: {report}")
    late = upload(node, token, 900)[1]
    before |= {path_of(late, n): ask(node, "GET", path_of(late, n))[2] for n in ("url", "preview_url")}
    settle(node, bucket, "s3")
    check("with both")
    expect("the third run", migrate(node, "s3", "--remove"), there=count, copied=2, removed=count + 2, failed=0)
    if files_of(node):
        problems.append(f"files are left in the folder: {files_of(node)[:3]}")
    check("in the bucket")
    new = upload(node, token, 901)[1]
    before |= {path_of(new, n): ask(node, "GET", path_of(new, n))[2] for n in ("url", "preview_url")}
    settle(node, bucket, "folder")
    bucket.faults(reset_every=7)
    expect("the way back", migrate(node, "folder", "--remove"), copied=count + 4, removed=count + 4, failed=0)
    bucket.faults()
    if bucket.names():
        problems.append("objects are left in the bucket")
    (node.data / "dunlin.toml").unlink()
    node.kill()
    node.start()
    check("in the folder again")
    return problems
