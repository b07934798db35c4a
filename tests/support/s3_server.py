#!/usr/bin/env python3
# SPDX-License-Identifier: AGPL-3.0-or-later
"""A server of S3 for tests: one bucket in a folder. It verifies every signature (version 4, in headers and in addresses), what
they say of the body and of the time, and can be told to be slow, to fail and to break off.

usage: tests/support/s3_server.py FOLDER [--port N] [--bucket B] [--access A] [--secret S] [--region R]
The first line it writes is its port. POST /_faults with a JSON object sets faults until the next one:
  slow: seconds before each answer    fail_every: n    status: of those that fail    reset_every: n
  refuse: the code of an error that everything gets    methods: only these have faults    skew: seconds the clock is ahead
  after: nothing happens to the first n requests
GET /_seen answers how many requests came, by method, how many of them were wrong, and the names of all objects.
"""
import argparse
import calendar
import collections
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import re
import socket
import struct
import sys
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

EMPTY = hashlib.sha256(b"").hexdigest()


class Refused(Exception):
    def __init__(self, status, code, more=""):
        super().__init__(code)
        self.status, self.code, self.more = status, code, more


def quoted(text, safe=""):
    return urllib.parse.quote(text, safe=safe + "-_.~")


class Bucket:
    """Objects on the disk: the body, and beside it what was said of it."""

    def __init__(self, folder):
        self.folder, self.lock, self.objects = pathlib.Path(folder), threading.Lock(), {}
        self.folder.mkdir(parents=True, exist_ok=True)
        for facts in self.folder.glob("*.json"):
            about = json.loads(facts.read_text())
            self.objects[about["key"]] = about

    def place(self, key):
        return self.folder / hashlib.sha1(key.encode()).hexdigest()

    def put(self, key, body, headers, etag=None):
        about = {"key": key, "bytes": len(body), "etag": etag or hashlib.md5(body).hexdigest(), "changed": time.time(), "headers": headers}
        place = self.place(key)
        temporary = place.with_suffix(f".{threading.get_ident()}")
        temporary.write_bytes(body)
        with self.lock:
            os.replace(temporary, place)
            place.with_suffix(".json").write_text(json.dumps(about))
            self.objects[key] = about
        return about

    def body(self, key):
        return self.place(key).read_bytes()

    def remove(self, key):
        with self.lock:
            if self.objects.pop(key, None):
                self.place(key).unlink()
                self.place(key).with_suffix(".json").unlink()

    def keys(self, prefix, after):
        with self.lock:
            return sorted(k for k in self.objects if k.startswith(prefix) and k > after)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *_):
        pass

    # ---- who asks ----

    def look_at(self):
        host = self.headers.get("Host", "")
        raw, _, query = self.path.partition("?")
        self.pairs = []
        for part in filter(None, query.split("&")):
            name, _, value = part.partition("=")
            self.pairs.append((urllib.parse.unquote(name), urllib.parse.unquote(value)))
        self.query = dict(self.pairs)
        self.raw_path = raw
        path = urllib.parse.unquote(raw)
        name = host.split(":")[0]
        if name.startswith(self.site.bucket + "."):
            self.bucket, self.key = self.site.bucket, path[1:]
        else:
            self.bucket, _, self.key = path[1:].partition("/")
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        if len(self.body) != length:
            raise ConnectionError

    def expected(self, day, stamp, headers, payload, pairs):
        names = sorted(headers)
        canonical = "\n".join([
            self.command, quoted(urllib.parse.unquote(self.raw_path), "/"),
            "&".join(f"{quoted(n)}={quoted(v)}" for n, v in sorted(pairs, key=lambda p: (quoted(p[0]), quoted(p[1])))),
            "".join(f"{n}:{' '.join((self.headers.get(n) or '').split())}\n" for n in names), ";".join(names), payload])
        scope = f"{day}/{self.site.region}/s3/aws4_request"
        text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()])
        key = ("AWS4" + self.site.secret).encode()
        for part in (day, self.site.region, "s3", "aws4_request"):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()

    def check_scope(self, credential, stamp):
        access, day, region, service, end = (credential.split("/") + [""] * 5)[:5]
        if access != self.site.access:
            raise Refused(403, "InvalidAccessKeyId")
        if region != self.site.region:
            raise Refused(400, "AuthorizationHeaderMalformed", f"<Region>{self.site.region}</Region>")
        if (service, end) != ("s3", "aws4_request") or not stamp.startswith(day) or len(day) != 8:
            raise Refused(400, "AuthorizationHeaderMalformed")
        return day

    def verify(self):
        now = time.time() + self.site.faults.get("skew", 0)
        moment = lambda stamp: calendar.timegm(time.strptime(stamp, "%Y%m%dT%H%M%SZ"))
        if "X-Amz-Signature" in self.query:
            stamp = self.query["X-Amz-Date"]
            day = self.check_scope(self.query["X-Amz-Credential"], stamp)
            if not moment(stamp) - 900 <= now <= moment(stamp) + int(self.query["X-Amz-Expires"]):
                raise Refused(403, "AccessDenied")
            pairs = [p for p in self.pairs if p[0] != "X-Amz-Signature"]
            wanted = self.expected(day, stamp, self.query["X-Amz-SignedHeaders"].split(";"), "UNSIGNED-PAYLOAD", pairs)
            given = self.query["X-Amz-Signature"]
        else:
            found = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})",
                                 self.headers.get("Authorization") or "")
            if not found:
                raise Refused(403, "AccessDenied")
            stamp, payload = self.headers.get("x-amz-date") or "", self.headers.get("x-amz-content-sha256") or ""
            day = self.check_scope(found[1], stamp)
            if abs(moment(stamp) - now) > 900:
                raise Refused(403, "RequestTimeTooSkewed")
            signed = found[2].split(";")
            must = {"host"} | {n.lower() for n in self.headers if n.lower().startswith("x-amz-")}
            if signed != sorted(signed) or not must <= set(signed):
                raise Refused(403, "AccessDenied")
            wanted, given = self.expected(day, stamp, signed, payload, self.pairs), found[3]
            if payload != hashlib.sha256(self.body).hexdigest():
                raise Refused(400, "XAmzContentSHA256Mismatch")
        if not hmac.compare_digest(wanted, given):
            raise Refused(403, "SignatureDoesNotMatch")
        if self.bucket != self.site.bucket:
            raise Refused(404, "NoSuchBucket")

    # ---- what is asked ----

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "Content_Length" not in headers and status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def xml(self, name, inside, status=200):
        self.answer(status, f'<?xml version="1.0" encoding="UTF-8"?>\n<{name}>{inside}</{name}>'.encode(), Content_Type="application/xml")

    def disturbed(self):
        site, faults = self.site, self.site.faults
        with site.lock:
            site.seen[self.command] += 1
            site.count += 1
            count = site.count
        if self.command not in faults.get("methods", [self.command]) or count <= faults.get("after", 0):
            return False
        time.sleep(faults.get("slow", 0))
        if faults.get("reset_every") and count % faults["reset_every"] == 0:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return True
        if faults.get("fail_every") and count % faults["fail_every"] == 0:
            raise Refused(faults.get("status", 503), "SlowDown" if faults.get("status", 503) == 503 else "InternalError")
        if faults.get("refuse"):
            raise Refused(403, faults["refuse"])
        return False

    def control(self):
        site = self.site
        if self.command == "POST":
            site.faults, site.count = json.loads(self.body), 0
        self.answer(200, json.dumps({"seen": dict(site.seen), "wrong": dict(site.wrong), "parts": len(site.uploads),
                                     "objects": sorted(site.store.keys("", ""))}).encode())

    def handle_one(self):
        try:
            self.look_at()
            if self.raw_path in ("/_faults", "/_seen"):
                return self.control()
            if self.disturbed():
                return None
            self.verify()
            return getattr(self, "s3_" + self.command.lower())()
        except Refused as refused:
            with self.site.lock:
                self.site.wrong[refused.code] += 1
            text = f"<Code>{refused.code}</Code><Message>no</Message>{refused.more}"
            return self.xml("Error", text, refused.status)
        except OSError:
            self.close_connection = True

    do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = handle_one

    def kept(self):
        return {n.lower(): v for n, v in self.headers.items()
                if n.lower() in ("content-type", "cache-control") or n.lower().startswith("x-amz-meta-")}

    def s3_put(self):
        store = self.site.store
        if "partNumber" in self.query:
            upload = self.site.uploads.get(self.query["uploadId"])
            if upload is None:
                raise Refused(404, "NoSuchUpload")
            etag = hashlib.md5(self.body).hexdigest()
            upload["parts"][int(self.query["partNumber"])] = (etag, self.body)
            return self.answer(200, ETag=f'"{etag}"')
        source = self.headers.get("x-amz-copy-source")
        if source:
            key = urllib.parse.unquote(source).lstrip("/").partition("/")[2]
            if key not in store.objects:
                raise Refused(404, "NoSuchKey")
            about = store.put(self.key, store.body(key), store.objects[key]["headers"])
            return self.xml("CopyObjectResult", f"<ETag>&quot;{about['etag']}&quot;</ETag>")
        about = store.put(self.key, self.body, self.kept())
        return self.answer(200, ETag=f'"{about["etag"]}"')

    def s3_post(self):
        uploads = self.site.uploads
        if "uploads" in self.query:
            name = hashlib.sha1(os.urandom(16)).hexdigest()
            uploads[name] = {"headers": self.kept(), "parts": {}}
            return self.xml("InitiateMultipartUploadResult", f"<UploadId>{name}</UploadId>")
        upload = uploads.get(self.query.get("uploadId"))
        if upload is None:
            raise Refused(404, "NoSuchUpload")
        wanted = re.findall(rb"<PartNumber>(\d+)</PartNumber><ETag>\"?([0-9a-f]+)\"?</ETag>", self.body.replace(b"&quot;", b'"'))
        found = [(number, etag.decode()) for number, etag in ((int(n), e) for n, e in wanted)]
        if [(n, upload["parts"][n][0]) for n in sorted(upload["parts"])] != found:
            raise Refused(400, "InvalidPart")
        if any(len(upload["parts"][n][1]) < 5 << 20 for n, _ in found[:-1]):
            raise Refused(400, "EntityTooSmall")
        body = b"".join(upload["parts"][n][1] for n, _ in found)
        self.site.store.put(self.key, body, upload["headers"], hashlib.md5(body).hexdigest() + f"-{len(found)}")
        del uploads[self.query["uploadId"]]
        return self.xml("CompleteMultipartUploadResult", "<ETag>done</ETag>")

    def s3_get(self):
        if not self.key:
            return self.listed()
        about = self.site.store.objects.get(self.key)
        if about is None:
            raise Refused(404, "NoSuchKey")
        headers = {n.replace("-", "_"): v for n, v in about["headers"].items()}
        changed = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(about["changed"]))
        headers |= {"ETag": f'"{about["etag"]}"', "Last_Modified": changed}
        if self.command == "HEAD":
            return self.answer(200, Content_Length=str(about["bytes"]), **headers)
        body = self.site.store.body(self.key)
        part = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if part:
            first, last = int(part[1]), min(int(part[2] or len(body)), len(body) - 1)
            return self.answer(206, body[first:last + 1], Content_Range=f"bytes {first}-{last}/{len(body)}", **headers)
        return self.answer(200, body, **headers)

    s3_head = s3_get

    def listed(self):
        most = int(self.query.get("max-keys", 1000))
        keys = self.site.store.keys(self.query.get("prefix", ""), self.query.get("start-after", ""))
        when = lambda t: time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(t))
        entries = "".join(
            f"<Contents><Key>{escape(k)}</Key><LastModified>{when(o['changed'])}</LastModified><Size>{o['bytes']}</Size></Contents>"
            for k in keys[:most] if (o := self.site.store.objects.get(k)))
        return self.xml("ListBucketResult", f"<IsTruncated>{'true' if len(keys) > most else 'false'}</IsTruncated>{entries}")

    def s3_delete(self):
        if "uploadId" in self.query:
            self.site.uploads.pop(self.query["uploadId"], None)
        else:
            self.site.store.remove(self.key)
        return self.answer(204)


class Site(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass  # who asked was killed

    def __init__(self, given):
        self.bucket, self.access, self.secret, self.region = given.bucket, given.access, given.secret, given.region
        self.store, self.uploads, self.faults, self.count = Bucket(given.folder), {}, {}, 0
        self.seen, self.wrong, self.lock = collections.Counter(), collections.Counter(), threading.Lock()
        super().__init__(("127.0.0.1", given.port), type("Bound", (Handler,), {"site": self}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--port", type=int, default=0)
    for name, default in (("bucket", "pictures"), ("access", "AKIAEXAMPLE"), ("secret", "a/secret+key"), ("region", "eu-test-1")):
        parser.add_argument("--" + name, default=default)
    site = Site(parser.parse_args())
    os.write(1, f"{site.server_address[1]}\n".encode())
    site.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
