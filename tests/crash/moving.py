# SPDX-License-Identifier: AGPL-3.0-or-later
"""The database is copied into another one beside a server that people post to, the copying is killed again and again, and in
the end the server goes on with the copy: everything that was answered is in it."""
import json
import os
import random
import shutil
import signal
import subprocess
import time
import urllib.parse

from server import ENVIRONMENT


def new_database(url, name):
    """Beside the one that the address names."""
    subprocess.run(["psql", "-q", url, "-c", f"CREATE DATABASE {name}"], check=True)
    parts = urllib.parse.urlsplit(url)
    others = [(key, value) for key, value in urllib.parse.parse_qsl(parts.query) if key != "dbname"]
    return urllib.parse.urlunsplit(parts._replace(path=f"/{name}", query=urllib.parse.urlencode(others)))


def empty(target):
    if target.startswith("sqlite:"):
        shutil.rmtree(target.removeprefix("sqlite:"))
    else:
        subprocess.run(["psql", "-q", target, "-c", "DROP SCHEMA public CASCADE; CREATE SCHEMA public"], check=True)


def is_whole(target):
    """Whether there is a copy: a run may be killed between its end and its last word."""
    if target.startswith("sqlite:"):
        return os.path.exists(os.path.join(target.removeprefix("sqlite:"), "dunlin.db"))
    asked = subprocess.run(["psql", "-qtA", target, "-c", "SELECT EXISTS (SELECT 1 FROM accounts)"], capture_output=True, text=True)
    return asked.stdout.strip() == "t"


class Moving:
    def __init__(self, server, load, seed):
        self.server, self.load, self.chance = server, load, random.Random(seed)
        self.problems, self.kills, self.changed, self.stopped, self.longest = [], 0, 0, 0.0, 1.5

    def command(self, *words):
        return subprocess.Popen([os.environ["DUNLIN"], *words, *self.server.where], env=ENVIRONMENT, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def kill(self, target, seconds):
        """The server goes on as before. What a run that came to its end first has made is removed; the next are killed sooner."""
        begun = time.monotonic()
        process = self.command("migrate-to", target)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        said = process.communicate()[1]
        if process.returncode not in (0, -signal.SIGKILL):
            self.problems.append(f"a run ended by itself with {process.returncode}: {said[-300:]}")
        if is_whole(target):
            self.longest = min(self.longest, 0.8 * (time.monotonic() - begun))
            empty(target)
        elif process.returncode == -signal.SIGKILL:
            self.kills += 1
        self.server.run("read-only", "off")

    def move(self, target, kills):
        begun, killed = time.monotonic(), self.kills
        for _ in range(kills):
            self.kill(target, self.chance.uniform(0.2, 1) * self.longest)
        while self.kills == killed and self.longest > 0.01:  # all of them were too late
            self.kill(target, self.longest)
        self.load.run()
        time.sleep(0.5)
        process = self.command("migrate-to", target, "--json")
        out, err = process.communicate(timeout=300)
        self.load.pause()
        if process.returncode:
            self.problems.append(f"migrate-to ended with {process.returncode}: {err[-500:]}")
            return False
        done = json.loads(out)
        self.changed += done["changed"]
        self.stopped = max(self.stopped, done["stopped_seconds"])
        # Nothing new is taken while the server is read-only; that is no fault.
        self.load.problems = [one for one in self.load.problems if "answered 503" not in one]
        check = self.command("migrate-to", target, "--check")
        said, err = check.communicate(timeout=300)
        if check.returncode:
            self.problems.append(f"the copy is not the same: {said}{err[-300:]}")
        print(f"  moved in {time.monotonic() - begun:.1f} s with its kills", flush=True)
        if self.kills == killed:
            self.problems.append("no run could be killed before its end")
        return True

    def switch(self, where):
        self.problems += self.server.stop()
        self.server.run("read-only", "off")
        self.server.where = where
        self.server.start()

    def summary(self):
        return (f"copied beside it, killed {self.kills} times; {self.changed} rows changed meanwhile, at most "
                f"{self.stopped * 1000:.0f} ms without a write")
