# SPDX-License-Identifier: AGPL-3.0-or-later
"""Nodes behind PgBouncer in transaction mode. Each check answers [problem...]."""
import os
import pwd
import subprocess
import threading
import time

from cluster import place_of
from server import Client, Refused
from stage import DATABASE, Node, free_port, psql, within


class PgBouncer:
    def __init__(self, folder):
        self.folder, self.port, self.process = folder / "pgbouncer", free_port(), None
        self.folder.mkdir()
        self.url = f"postgres://dunlin@127.0.0.1:{self.port}/dunlin"
        (self.folder / "pgbouncer.ini").write_text(
            f"[databases]\ndunlin = host={place_of(DATABASE)} dbname=dunlin user=dunlin\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\nauth_type = any\n"
            "pool_mode = transaction\nmax_client_conn = 500\ndefault_pool_size = 10\n")
        self.start()

    def start(self):
        as_whom = []
        if os.getuid() == 0:  # it refuses to run as root
            as_whom = ["-u", "postgres" if any(one.pw_name == "postgres" for one in pwd.getpwall()) else "nobody"]
            os.chmod(self.folder.parent, 0o755)
        self.process = subprocess.Popen(["/usr/sbin/pgbouncer", "-q", *as_whom, self.folder / "pgbouncer.ini"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        answers = lambda: subprocess.run(["psql", "-X", "-At", self.url, "-c", "SELECT 1"], capture_output=True, check=False).returncode == 0
        if not within(20, answers):
            raise RuntimeError("pgbouncer does not answer")

    def stop(self):
        self.process.kill()
        self.process.wait()


def many_at_once(people):
    """More ask than there are sessions, and each is answered with what is theirs."""
    problems = []

    def work(number, node):
        client = Client(node.port, people.alice_token)
        try:
            for turn in range(15):
                text = f"thread {number} turn {turn}"
                post = client.post("/api/v1/statuses", {"status": text})
                client.post(f"/api/v1/statuses/{post['id']}/favourite")
                seen = client.get(f"/api/v1/statuses/{post['id']}")
                if text not in seen["content"] or seen["favourites_count"] != 1:
                    problems.append(f"{text} is shown as {seen['content']} with {seen['favourites_count']} favourites")
        except (OSError, Refused) as error:
            problems.append(f"thread {number}: {error}")
    threads = [threading.Thread(target=work, args=(n, people.site.nodes[n % 2])) for n in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return problems


def leaves_nothing_in_sessions(pooler, site):
    """What a transaction sets, locks and prepares is over with it, or the next one of somebody else would have it."""
    problems, ask = [], lambda sql: subprocess.run(["psql", "-X", "-At", pooler.url, "-c", sql], capture_output=True, text=True,
                                                   check=True).stdout.strip()
    # Each question may come to another session.
    for name, wanted in (("statement_timeout", "0"), ("idle_in_transaction_session_timeout", "0"), ("jit", "on"), ("synchronous_commit", "off")):
        found = {ask(f"SHOW {name}") for _ in range(15)}
        problems += [f"{name} is {found}"] if found != {wanted} else []
    if any(ask("SELECT count(*) FROM pg_prepared_statements") != "0" for _ in range(15)):
        problems.append("a statement is prepared")
    if any(ask("SELECT count(*) FROM pg_listening_channels()") != "0" for _ in range(15)):
        problems.append("somebody listens")
    if not within(10, lambda: psql("SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
                                   "WHERE locktype = 'advisory' AND a.state = 'idle'") == "0"):
        problems.append("a lock is held by a session that does nothing")
    return problems


def survives_the_pooler(people, pooler):
    pooler.stop()
    time.sleep(1)
    pooler.start()

    def answered():
        try:
            return people.alice.post("/api/v1/statuses", {"status": "again"})
        except Refused as refused:
            if refused.status != 503:
                raise
    post = within(20, answered)
    there = Client(people.site.nodes[-1].port, people.bob_token)
    return [] if post and there.get(f"/api/v1/statuses/{post['id']}")["id"] == post["id"] else ["nothing can be posted afterwards"]


def says_what_it_cannot(folder, pooler):
    """Without a server that passes on what they say, the log names what to set."""
    place = folder / "mute"
    place.mkdir()
    node = Node(place, pooler.url)
    try:
        return [] if within(20, lambda: "set shared_liveness" in node.log.read_text(errors="replace")) else [node.tail()]
    finally:
        node.kill()
