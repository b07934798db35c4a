# SPDX-License-Identifier: AGPL-3.0-or-later
"""A database of before is brought up to date and what it lacks is built while the server serves; the server is killed again and
again, at its start, in the migrations and in what is built. In the end nothing is missing and nothing is there twice."""
import json
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import time

from moving import new_database
from server import ENVIRONMENT

SEED = pathlib.Path(__file__).resolve().parents[2] / "bench/seed.py"
# Tables of the newest migrations, which are taken away with their indexes, and what those filled in chunks.
NEWEST = {"0160_setting_changes": "setting_changes", "0161_digests": "digests"}
EVERYTHING = '{"below":"9223372036854775807"}'
FOUND = "deleted_at IS NULL AND reblog_of_id IS NULL"


class Upgrading:
    def __init__(self, server, posts, seed, postgres=""):
        self.server, self.posts, self.chance = server, posts, random.Random(seed)
        self.problems, self.kills, self.slowest, self.built, self.postgres = [], 0, 0.0, 0.0, ""
        self.url = postgres

    def fill(self):
        """A site with posts and without anything that is built out of them."""
        self.problems += self.server.stop()
        file = self.server.data / "dunlin.db"
        subprocess.run([sys.executable, SEED, file, "--accounts", "400", "--statuses", str(self.posts)], check=True,
                       stdout=subprocess.DEVNULL)
        if self.url:
            self.to_postgres()
        for name, table in NEWEST.items():
            self.run(f"DROP TABLE {table}; DELETE FROM schema_migrations WHERE name = '{name}'")
        self.run("DROP INDEX jobs_that_build")
        self.run("DELETE FROM jobs; DELETE FROM status_index_queue; DELETE FROM status_texts")
        self.run("UPDATE statuses SET replies_count = replies_count + 2 WHERE replies_count > 0")
        self.run(f"INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES "
                 f"(1, 'index_older', '{EVERYTHING}', 0, 0), (2, 'recount', '{{\"after\":\"0\"}}', 0, 0)")

    def to_postgres(self):
        done = subprocess.run([os.environ["DUNLIN"], "migrate-to", self.url, *self.server.where], env=ENVIRONMENT,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"the copy failed: {done.stderr[-500:]}")
        # The folder of the copied database stays read-only.
        self.server.data = self.server.folder / "copied"
        self.server.where = ["--data", str(self.server.data), *self.server.where[2:], "--database", self.url]
        self.postgres = self.url

    def ask(self, sql):
        if self.postgres:
            done = subprocess.run(["psql", "-qtA", self.postgres, "-c", sql], capture_output=True, text=True, check=True)
            return [line.split("|") for line in done.stdout.splitlines() if line]
        database = sqlite3.connect(self.server.data / "dunlin.db", timeout=30)
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()

    def run(self, sql):
        if self.postgres:
            subprocess.run(["psql", "-q", self.postgres, "-v", "ON_ERROR_STOP=1", "-c", sql], check=True)
            return
        database = sqlite3.connect(self.server.data / "dunlin.db", timeout=30)
        database.executescript(sql)
        database.commit()
        database.close()

    def status(self):
        done = subprocess.run([os.environ["DUNLIN"], "migrate", "--status", "--json", *self.server.where], env=ENVIRONMENT,
                              capture_output=True, text=True)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def number(self, sql):
        return int(self.ask(sql)[0][0])

    def torture(self, kills):
        """Half of them before it serves."""
        for kill in range(kills):
            if kill % 2 == 0:
                self.server.launch()
                time.sleep(self.chance.uniform(0.0, 0.25))
            else:
                self.slowest = max(self.slowest, self.server.start())
                time.sleep(self.chance.uniform(0.1, 1.2))
            self.server.kill()
            self.kills += 1
        self.slowest = max(self.slowest, self.server.start())
        begun = time.monotonic()
        while time.monotonic() - begun < 300:
            now = self.status()
            if now is None or now["missing"]:
                self.problems.append(f"the status is {now}")
                break
            if not now["builds"] and self.number("SELECT count(*) FROM status_index_queue") == 0:
                break
            for one in now["builds"]:
                if one["given_up"] or one["error"]:
                    self.problems.append(f"a build fails: {one}")
                if not 0 <= one["done"] <= 1:
                    self.problems.append(f"a build is at {one['done']}")
            time.sleep(0.2)
        else:
            self.problems.append("it is not built within five minutes")
        self.built = time.monotonic() - begun

    def inspect(self):
        wanted = self.number(f"SELECT count(*) FROM statuses WHERE {FOUND}")
        missing = self.number(f"SELECT count(*) FROM statuses WHERE {FOUND} AND id NOT IN (SELECT status_id FROM status_texts)")
        extra = self.number(f"SELECT count(*) FROM status_texts WHERE status_id NOT IN (SELECT id FROM statuses WHERE {FOUND})")
        counts = [[int(value) for value in row] for row in
                  self.ask(f"SELECT id, replies_count FROM statuses WHERE replies_count > 0 AND {FOUND} ORDER BY id")]
        real = {int(row[0]): int(row[1]) for row in self.ask(
            "SELECT in_reply_to_id, count(*) FROM statuses WHERE deleted_at IS NULL AND reply_state = 'shown' "
            "AND visibility IN ('public', 'unlisted') AND in_reply_to_id IS NOT NULL GROUP BY in_reply_to_id")}
        wrong = [f"{status} has {count} answers, not {real.get(status, 0)}" for status, count in counts
                 if count != real.get(status, 0)]
        steps = [row[0] for row in self.ask("SELECT name FROM schema_migrations ORDER BY name")]
        twice = [name for name in NEWEST if steps.count(name) != 1]
        return [("each step of the upgrade is taken once", twice),
                ("what is built comes to its end", self.problems),
                (f"each of {wanted} posts is in the search index, and nothing else",
                 [f"{missing} are missing, {extra} too many"] if missing or extra or not wanted else []),
                ("answers are counted right", wrong)]

    def summary(self):
        return (f"killed {self.kills} times while {self.posts} posts were brought up to date; serves after "
                f"{self.slowest * 1000:.0f} ms at most; built {self.built:.1f} s after the last kill")


def prepared(server, posts, seed, url):
    upgrading = Upgrading(server, posts, seed, new_database(url, "upgrading") if url else "")
    upgrading.fill()
    return upgrading
