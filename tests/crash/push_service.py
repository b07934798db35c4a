# SPDX-License-Identifier: AGPL-3.0-or-later
"""A push service and the browsers behind it: takes what is sent to their addresses and reads it with their own keys."""
import base64
import collections
import datetime
import hashlib
import hmac
import http.server
import ipaddress
import json
import random
import re
import secrets
import socketserver
import ssl
import threading
import time

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.x509.oid import NameOID

CURVE = ec.SECP256R1()


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def public_key(data):
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)


def derived(salt, secret, info, size):
    key = hmac.new(salt, secret, hashlib.sha256).digest()
    return hmac.new(key, info + b"\1", hashlib.sha256).digest()[:size]


class Browser:
    """One subscription."""

    def __init__(self, standard):
        self.standard = standard
        self.key, self.secret = ec.generate_private_key(CURVE), secrets.token_bytes(16)
        self.point = point(self.key.public_key())

    def subscription(self, endpoint, alerts):
        keys = {"p256dh": encoded(self.point), "auth": encoded(self.secret)}
        return {"subscription": {"endpoint": endpoint, "keys": keys, "standard": self.standard},
                "data": {"policy": "all", "alerts": {alert: True for alert in alerts}}}

    def read(self, headers, body):
        """The payload; raises what is wrong."""
        assert headers["Content-Encoding"] == ("aes128gcm" if self.standard else "aesgcm"), headers["Content-Encoding"]
        return json.loads(self.read_aes128gcm(body) if self.standard else self.read_aesgcm(headers, body))

    def read_aes128gcm(self, body):
        salt, sender = body[:16], body[21:86]
        agreed = self.key.exchange(ec.ECDH(), public_key(sender))
        secret = derived(self.secret, agreed, b"WebPush: info\0" + self.point + sender, 32)
        key = derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(salt, secret, b"Content-Encoding: nonce\0", 12)
        text = AESGCM(key).decrypt(nonce, body[86:], None)
        assert text.endswith(b"\2"), text
        return text[:-1]

    def read_aesgcm(self, headers, body):
        sender = decoded(re.search(r"dh=([\w-]+)", headers["Crypto-Key"])[1])
        salt = decoded(re.search(r"salt=([\w-]+)", headers["Encryption"])[1])
        agreed = self.key.exchange(ec.ECDH(), public_key(sender))
        secret = derived(self.secret, agreed, b"Content-Encoding: auth\0", 32)
        context = b"P-256\0\0\x41" + self.point + b"\0\x41" + sender
        key = derived(salt, secret, b"Content-Encoding: aesgcm\0" + context, 16)
        nonce = derived(salt, secret, b"Content-Encoding: nonce\0" + context, 12)
        text = AESGCM(key).decrypt(nonce, body, None)
        assert text.startswith(b"\0\0"), text
        return text[2:]


def certificate():
    """A certificate for this machine that is its own authority, and its key, both in PEM."""
    key = ec.generate_private_key(CURVE)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "push service")])
    now = datetime.datetime.now(datetime.timezone.utc)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    made = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=2))
            .add_extension(x509.SubjectAlternativeName([address]), False)
            .add_extension(x509.BasicConstraints(True, None), True).sign(key, hashes.SHA256()))
    return made.public_bytes(serialization.Encoding.PEM), key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


class PushService:
    def __init__(self, folder, seed):
        self.authority = folder / "push-service.pem"
        cert, key = certificate()
        self.authority.write_bytes(cert)
        (folder / "push-service.key").write_bytes(key)
        self.browsers = {}  # by path
        self.taken = collections.defaultdict(list)  # payloads, by path
        self.problems, self.refused = [], 0
        self.server_key = None  # as the server tells it
        self.moody = 0.0  # how much of what comes is answered with an error first
        chance, lock, service = random.Random(seed), threading.Lock(), self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = 201
                with lock:
                    if chance.random() < service.moody:
                        service.refused += 1
                        status = chance.choice([500, 503, 429])
                    else:
                        try:
                            service.take(self.path, self.headers, body)
                        except Exception as error:
                            service.problems.append(repr(error))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *words):
                pass

        class Listener(socketserver.ThreadingMixIn, http.server.HTTPServer):
            daemon_threads = True

            def handle_error(self, request, client_address):
                pass  # a killed server leaves its connections

        self.listener = Listener(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.authority, folder / "push-service.key")
        self.listener.socket = context.wrap_socket(self.listener.socket, server_side=True)
        self.origin = f"https://127.0.0.1:{self.listener.server_address[1]}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def browser(self, path, standard):
        self.browsers[path] = Browser(standard)
        return self.browsers[path]

    def take(self, path, headers, body):
        for name, value in {"TTL": "172800", "Urgency": "normal", "Content-Type": "application/octet-stream"}.items():
            assert headers[name] == value, f"{name}: {headers[name]}"
        assert "/api/web/push_subscriptions/" in headers["Unsubscribe-URL"]
        browser = self.browsers[path]
        self.verify(browser, headers)
        self.taken[path].append(browser.read(headers, body))

    def verify(self, browser, headers):
        """Who sends says so with the key that was told to the browser."""
        said = headers["Authorization"]
        if browser.standard:
            token, key = re.fullmatch(r"vapid t=([\w.-]+),k=([\w-]+)", said).groups()
        else:
            token = re.fullmatch(r"WebPush ([\w.-]+)", said)[1]
            key = re.search(r"p256ecdsa=([\w-]+)", headers["Crypto-Key"])[1]
        assert decoded(key) == decoded(self.server_key.rstrip("="))
        text, signature = token.rsplit(".", 1)
        head, claims = (json.loads(decoded(part)) for part in text.split("."))
        assert head == {"typ": "JWT", "alg": "ES256"}, head
        assert claims["aud"] == self.origin, claims
        assert time.time() < claims["exp"] <= time.time() + 86400 + 60, claims
        assert claims["sub"].startswith(("mailto:", "http")), claims
        numbers = decoded(signature)
        both = encode_dss_signature(int.from_bytes(numbers[:32], "big"), int.from_bytes(numbers[32:], "big"))
        public_key(decoded(key)).verify(both, text.encode(), ec.ECDSA(hashes.SHA256()))

    def close(self):
        self.listener.shutdown()
        self.listener.server_close()
