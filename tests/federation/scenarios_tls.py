# SPDX-License-Identifier: AGPL-3.0-or-later
"""https, names, and certificates that are to be believed and others that are not."""
import os
import pathlib
import random
import subprocess

from servers import ACTIVITY, Dunlin, Peer, Wrong, ask, eventually, expect

NEEDS = "peer"


def openssl(*words):
    subprocess.run(["openssl", *map(str, words)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def authority(folder, name):
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", 30, "-subj", f"/CN={name}", "-addext",
            "basicConstraints=critical,CA:TRUE", "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem")
    return folder / name


def certificate(folder, signer, host, file, days=30):
    key, request, facts, made = (folder / f"{file}.{end}" for end in ("key", "csr", "cnf", "pem"))
    facts.write_text(f"subjectAltName=DNS:{host}\nextendedKeyUsage=serverAuth\n")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={host}", "-keyout", key, "-out", request)
    openssl("x509", "-req", "-in", request, "-CA", f"{signer}.pem", "-CAkey", f"{signer}.key", "-CAcreateserial",
            "-days", days, "-extfile", facts, "-out", made)
    return made, key


class Stage:
    """Every server has an address of its own, and the usual port where that is allowed."""

    def __init__(self, folder, program):
        first = int(pathlib.Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text())
        port = 443 if os.geteuid() == 0 or first <= 443 else random.randrange(20000, 30000)
        end = "" if port == 443 else f":{port}"
        net = f"127.{random.randrange(1, 255)}.{random.randrange(255)}"
        believed, other = authority(folder, "believed"), authority(folder, "other")
        addresses = {name: f"{net}.{i + 1}" for i, name in enumerate((
            "ours.test", "a.test", "b.test", "wrong-name.test", "expired.test", "unknown.test"))}
        names = ",".join(f"{name}={address}" for name, address in addresses.items())
        made, key = certificate(folder, believed, "ours.test", "ours")
        self.dunlin = Dunlin(
            folder / "ours", "--tls-listen", f"{addresses['ours.test']}:{port}", "--tls-cert", str(made), "--tls-key", str(key),
            "--extra-ca-file", f"{believed}.pem",
            *(word for name, address in addresses.items() for word in ("--host-overrides", f"{name}={address}:{port}")),
            public=f"https://ours.test{end}")
        self.servers = [self.dunlin]

        def peer(name, signer, host, days=30):
            cert, cert_key = certificate(folder, signer, host, name, days)
            made = Peer(folder / name, program, f"https://{name}{end}", PEER_LISTEN_HOST=addresses[name], PEER_HOSTS=names,
                        PEER_TLS_CERT=str(cert), PEER_TLS_KEY=str(cert_key), NODE_EXTRA_CA_CERTS=f"{believed}.pem")
            self.servers.append(made)
            return made
        self.peer = peer("a.test", believed, "a.test")
        self.strange = [peer("wrong-name.test", believed, "b.test"), peer("expired.test", believed, "expired.test", -1),
                        peer("unknown.test", other, "unknown.test")]


def s18_follows_and_posts_over_https(w):
    ann, pia = w.dunlin.person("ann"), w.peer.user("pia")
    account = ann.follow(pia.handle)
    pia.do("follow", target=ann.uri)
    eventually("accepted", lambda: ann.relation(account)["following"] and pia.state()["following"].get(ann.uri) == "accepted")
    said = ann.say("over https")
    w.peer.wait(type="Create", object=said["uri"])
    made = pia.post("over https, too")
    ann.at_home(made["id"])
    answer = ask("GET", f"{w.dunlin.origin}/ap/users/{ann.id}", headers=ACTIVITY).json
    if w.peer.origin.count(":") == 1:
        expect(answer["id"], f"https://ours.test/ap/users/{ann.id}")
        hosts = {r["headers"]["host"] for r in w.peer.see("requests", method="POST")}
        expect(hosts, {"a.test"}, "what Host said")
    if not ann.uri.startswith("https://ours.test"):
        raise Wrong(ann.uri)


def s18_certificates_that_do_not_hold_are_not_believed(w):
    ann = w.dunlin.person("ann")
    for stranger in w.strange:
        expect(ann.find_account(f"@admin@{stranger.host}"), None, stranger.host)
        expect(stranger.see("requests"), [], f"requests that reached {stranger.host}")
        # What they sign cannot be checked, since their keys cannot be fetched.
        sent = {"@context": "https://www.w3.org/ns/activitystreams", "id": stranger.origin + "/f", "type": "Follow",
                "actor": stranger.origin + "/users/admin", "object": ann.uri}
        expect(stranger.do("raw", inbox=ann.uri + "/inbox", activity=sent)["status"], 503, stranger.host)
    expect(ann.notifications("follow"), [])


def s27_a_blocked_domain_is_silent(w):
    ann, bob, pia = w.dunlin.person("ann"), w.dunlin.person("bob"), w.peer.user("pia")
    account = ann.follow(pia.handle)
    eventually("accepted", lambda: ann.relation(account)["following"])
    ann.post("/api/v1/domain_blocks", domain=w.peer.host.partition(":")[0])
    if ":" in w.peer.host:
        return  # blocked are domains, not ports
    eventually("severed", lambda: not ann.relation(account)["following"] and pia.state()["followers"] == [])
    pia.post("unheard", mentions=[ann.uri])
    pia.do("follow", target=ann.uri)
    w.dunlin.idle()
    expect((ann.notifications("mention"), ann.notifications("follow"), pia.state()["following"].get(ann.uri) == "accepted"),
           ([], [], False))
    expect(bob.account(pia.handle)["id"], account["id"], "others still see them")
