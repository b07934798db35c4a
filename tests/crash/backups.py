# SPDX-License-Identifier: AGPL-3.0-or-later
"""A backup beside a server that is killed: what was answered shortly before comes back, at any moment, also by hand."""
import hashlib
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import time

from server import ENVIRONMENT, within

# Seconds that a broken disk may cost: one where the machine has nothing else to do; the figure is printed anyway.
LOSS = 1.0 if os.environ.get("DUNLIN_LONG") else 5.0
# And a lost machine, where the log goes to a bucket by the piece.
LOSS_OF_PIECES = 10.0


def restore(source, to, *words):
    shutil.rmtree(to, ignore_errors=True)
    done = subprocess.run([os.environ["DUNLIN"], "restore", str(source), "--to", str(to), "--json", *words],
                          env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise RuntimeError(f"dunlin restore {words} ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def ids_in(database):
    connection = sqlite3.connect(database)
    try:
        return {row[0] for row in connection.execute("SELECT id FROM statuses")}
    finally:
        connection.close()


def by_hand(kept, to):
    """As docs/operating/backup.md tells who has no Dunlin: the blocks of a copy, then log after log."""
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir()
    base = sorted(entry.name for entry in (kept / "base").iterdir())[-1]
    database = to / "dunlin.db"
    with open(database, "wb") as out:
        for line in (kept / "base" / base).read_text().splitlines():
            words = line.split()
            if len(words) == 2 and words[0] != "end":
                out.write((kept / "blocks" / words[0][:2] / words[0]).read_bytes())
    for segment in sorted((kept / "log" / base).glob("*.seg")):
        shutil.copy(segment, to / "dunlin.db-wal")
        connection = sqlite3.connect(database)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.close()
    return ids_in(database)


class Backups:
    def __init__(self, server, load, kept, seed, loss=LOSS):
        self.server, self.load, self.kept, self.allowed = server, load, kept, loss
        self.chance = random.Random(seed)
        self.restored = server.folder / "restored"
        self.missing, self.early = [], []
        self.restores, self.slowest, self.loss = 0, 0, 0
        self.begun = self.first_base()
        self.gaps = []  # what was left at a kill gets the time at which the next start brought it

    def first_base(self):
        if within(60, lambda: (self.kept / "manifest.json").exists() and list((self.kept / "base").iterdir())):
            return time.time()
        raise RuntimeError(f"there is no copy 60 s after the start:\n{self.server.tail()}")

    def caught_up(self):
        """After a kill the log may have begun anew unseen: then a whole copy has to be made before anything is bounded."""
        started = time.time()
        if not within(120, lambda: (self.server.metric("dunlin_backup_log_timestamp_seconds") or 0) > started):
            raise RuntimeError(f"the backup does not reach the present within 120 s:\n{self.server.tail()}")

    def answered(self):
        return [write for write in list(self.load.writes) if write.text and write.answer]

    def look(self, until, *words):
        """Brings it back and compares; `until`: what was answered LOSS before must be there."""
        start = time.monotonic()
        restore(self.kept, self.restored, "--uploads", "later", *words)
        self.slowest = max(self.slowest, time.monotonic() - start)
        self.restores += 1
        found = ids_in(self.restored / "dunlin.db")
        for write in self.answered():
            if write.at >= until or int(write.answer["id"]) in found:
                continue
            self.loss = max(self.loss, until - write.at)
            if write.at < until - self.allowed:
                self.missing.append(f"{write.text!r}, answered {until - write.at:.2f} s before {words or 'the kill'}")
        return found

    def after_kill(self, killed_at):
        self.look(killed_at)

    def at_random(self, times):
        end = time.time()
        for _ in range(times):
            moment = self.chance.uniform(self.begun + 2, end)
            until = 0 if any(killed < moment < there for killed, there in self.gaps) else moment
            text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + f".{int(moment * 1000) % 1000:03}Z"
            for number in self.look(until, "--at", text):
                if (number >> 16) > moment * 1000 + 1:
                    self.early.append(f"post {number} was not written yet at {text}")

    def admin_checkpoints(self):
        connection = sqlite3.connect(self.server.data / "dunlin.db", timeout=0.2)
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.OperationalError:
            pass  # somebody reads, as it may be
        finally:
            connection.close()

    def whole(self):
        """Once the server has stopped: every answer is there, in the archive alone."""
        everything = ids_in(self.server.data / "dunlin.db")
        found = self.look(time.time() + self.allowed + 1)
        problems = [f"post {number} is not in the backup" for number in everything - found]
        problems += [f"post {number} is only in the backup" for number in found - everything]
        return problems, [f"post {number} is missing by hand" for number in everything ^ self.by_hand()]

    def by_hand(self):
        return by_hand(self.kept, self.server.folder / "hand")

    def verified(self):
        done = subprocess.run([os.environ["DUNLIN"], "backup", "verify", "--from", str(self.kept), "--json"],
                              env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return [] if done.returncode == 0 else [done.stdout + done.stderr]

    def bases(self):
        return len(list((self.kept / "base").iterdir()))


class BackupsInBucket(Backups):
    """In tests/support/s3_server.py, which verifies every signature. By hand: out of the folder it was copied into."""

    def __init__(self, server, load, bucket, seed):
        self.bucket = bucket
        super().__init__(server, load, bucket.place, seed, LOSS_OF_PIECES)

    def first_base(self):
        if within(60, lambda: self.server.metric("dunlin_backup_base_timestamp_seconds")):
            return time.time()
        raise RuntimeError(f"there is no copy 60 s after the start:\n{self.server.tail()}")

    def by_hand(self):
        copied = self.server.folder / "copied"
        for about in (json.loads(facts.read_text()) for facts in self.bucket.folder.glob("*.json")):
            to = copied / pathlib.PurePath(about["key"]).relative_to(self.bucket.prefix)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.bucket.folder / hashlib.sha1(about["key"].encode()).hexdigest(), to)
        restore(copied, self.restored)
        return ids_in(self.restored / "dunlin.db")

    def bases(self):
        done = subprocess.run([os.environ["DUNLIN"], "backup", "list", "--from", self.kept, "--json"], env=ENVIRONMENT, check=True,
                              stdout=subprocess.PIPE)
        return len(json.loads(done.stdout))


class Bucket:
    prefix, place = "kept/here", "s3://pictures/kept/here"

    def __init__(self, folder):
        self.folder = folder / "bucket"
        program = pathlib.Path(__file__).resolve().parent.parent / "support/s3_server.py"
        self.process = subprocess.Popen(["/usr/bin/python3", program, self.folder], stdout=subprocess.PIPE, text=True)
        self.options = {"endpoint": f"http://127.0.0.1:{self.process.stdout.readline().strip()}", "region": "eu-test-1",
                        "access_key": "AKIAEXAMPLE", "secret_key": "a/secret+key"}
        ENVIRONMENT.update((f"DUNLIN_BACKUP_S3_{name.upper()}", value) for name, value in self.options.items())

    def stop(self):
        self.process.kill()
        self.process.wait()
        for name in self.options:
            ENVIRONMENT.pop(f"DUNLIN_BACKUP_S3_{name.upper()}")


class SmallDisk:
    """A file system of its own that can be full; None where this user may not mount one."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.mounted = self.mount("size=6m") == 0

    def mount(self, options):
        return subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.folder)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def grow(self):
        self.mount("remount,size=400m")

    def close(self):
        if self.mounted:
            subprocess.run(["umount", str(self.folder)], check=False)
