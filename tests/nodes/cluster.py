# SPDX-License-Identifier: AGPL-3.0-or-later
"""PostgreSQL with a streaming replica, and ways to both that can fall silent."""
import pathlib
import signal
import subprocess
import urllib.parse

from stage import DATABASE, psql, within

SUPPORT = pathlib.Path(__file__).resolve().parent.parent / "support"


def place_of(url):
    return urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["host"][0]


class Way:
    def __init__(self, folder):
        self.process = subprocess.Popen([pathlib.Path(__file__).parent / "proxy.py", f"{folder}/.s.PGSQL.5432"],
                                        stdout=subprocess.PIPE, text=True)
        self.url = f"postgres://dunlin@127.0.0.1:{int(self.process.stdout.readline())}/dunlin"

    def silence(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        self.process.kill()
        self.process.wait()


def manage(*words):
    return subprocess.run([SUPPORT / "replica", *words], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


class Cluster:
    """What is answered is on disk here, as far as a crash of the program alone goes."""

    def __init__(self):
        psql("ALTER SYSTEM SET synchronous_commit = on")
        psql("SELECT pg_reload_conf()")
        self.primary, self.replica = place_of(DATABASE), None
        self.way = self.way_to_replica = None
        try:
            self.replica = manage("make")
            self.way, self.way_to_replica = Way(self.primary), Way(self.replica)
        except Exception:
            self.end()
            raise
        self.settings = ["--database-replica", self.way_to_replica.url]

    def ask_replica(self, sql):
        """Again, when it stands in the way of what the replica applies, which ends it then."""
        url = DATABASE.replace(self.primary, self.replica)
        words = ["psql", "-X", "-q", "-At", url, "-c", sql]
        if not within(20, lambda: subprocess.run(words, capture_output=True, check=False).returncode == 0):
            raise RuntimeError(f"the replica does not take {sql}")

    def end(self):
        for way in (self.way, self.way_to_replica):
            if way:
                way.resume()
                way.end()
        if self.replica:
            manage("remove", self.replica)
        manage("start", self.primary)  # whatever became of it
        psql("ALTER SYSTEM RESET synchronous_commit")
        psql("SELECT pg_reload_conf()")
