# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list of servers is applied and undone, once in peace and once while the server is killed at random moments of the work in
the background: in the end both sites are the same, each person was told once, and each follow was asked for again once."""
import collections
import json
import sqlite3
import subprocess
import time

from peers import Peers
from server import within

PEOPLE, SERVERS, ACCOUNTS, FOLLOWS, FOLLOWERS = 6, 40, 10, 80, 320
LISTED = 30  # of the servers
STEPS = ["applying", "marking", "collecting", "severing", "telling", "applied",
         "lifting", "unmarking", "restoring", "undone"]
FIRST = {"calm": 10 ** 15, "wild": 2 * 10 ** 15}  # numbers of the rows of each site
DAY = 86_400_000


class Site:
    """People here and servers elsewhere, called by a prefix, so that two of them fit into one database."""

    def __init__(self, server, peers, prefix, chance):
        self.server, self.peers, self.prefix, self.chance = server, peers, prefix, chance
        self.people = [int(server.account(f"{prefix}{n}")[0]) for n in range(PEOPLE)]
        self.uris, self.list = {}, None
        self.fill()

    def ask(self, sql):
        if not self.server.database:
            database = sqlite3.connect(self.server.data / "dunlin.db", timeout=20)
            try:
                with database:
                    return [tuple(row) for row in database.execute(sql)]
            finally:
                database.close()
        done = subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-At", "-F", "\t", self.server.database],
                              input=sql, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode:
            raise RuntimeError(f"psql: {done.stderr.strip()}")
        return [tuple(int(cell) if cell.lstrip("-").isdigit() else cell for cell in line.split("\t"))
                for line in done.stdout.splitlines()]

    def domain(self, number):
        return f"{self.prefix}-s{number}.example"

    def fill(self):
        first, now = FIRST[self.prefix], int(time.time() * 1000)
        accounts, actors, servers, follows = [], [], [], []
        for n in range(SERVERS * ACCOUNTS):
            domain, host = self.domain(n % SERVERS), f"127.0.1.{1 + n % SERVERS}:{self.peers.port}"
            uri = f"http://{host}/users/{self.prefix}{n}"
            self.uris[first + n] = uri
            accounts.append(f"({first + n}, 'p{n}', '{domain}', '{uri}', '{uri}', {now - DAY})")
            actors.append(f"({first + n}, '{uri}/inbox', '', {now})")
        for n in range(SERVERS):
            servers.append(f"('{self.domain(n)[::-1]}', '{self.domain(n)}')")
        number = first + 10 ** 6
        for person in self.people:
            for there in self.chance.sample(range(SERVERS * ACCOUNTS), FOLLOWS):
                follows.append(f"({(number := number + 1)}, {person}, {first + there}, {now})")
            for there in self.chance.sample(range(SERVERS * ACCOUNTS), FOLLOWERS):
                follows.append(f"({(number := number + 1)}, {first + there}, {person}, {now})")
        self.ask("INSERT INTO accounts (id, username, domain, uri, url, created_at) VALUES " + ", ".join(accounts))
        self.ask("INSERT INTO actors (account_id, inbox, shared_inbox, refreshed_at) VALUES " + ", ".join(actors))
        self.ask("INSERT INTO known_servers (reversed, domain) VALUES " + ", ".join(servers))
        self.ask("INSERT INTO follows (id, account_id, target_id, created_at) VALUES " + ", ".join(follows))
        for counter, column in (("following_count", "account_id"), ("followers_count", "target_id")):
            self.ask(f"UPDATE accounts SET {counter} = (SELECT count(*) FROM follows WHERE {column} = accounts.id)")

    def apply(self):
        file = self.server.folder / f"{self.prefix}.txt"
        file.write_text("".join(self.domain(n) + "\n" for n in range(LISTED)))
        self.list = json.loads(self.server.run("list", "apply", str(file), "--name", "a list", "--json"))["id"]

    def undo(self):
        self.server.run("list", "undo", self.list)

    def step(self):
        return self.ask(f"SELECT step FROM list_batches WHERE id = {self.list}")[0][0]

    def progress(self):
        return self.ask(f"SELECT step, accounts, following, followers, restored FROM list_batches WHERE id = {self.list}")

    def until(self, step):
        if not within(120, lambda: self.step() == step):
            raise TimeoutError(f"the list is still {self.step()}, not {step}")

    def state(self):
        """All that the list touched, by names that both sites share."""
        first, people = FIRST[self.prefix], ", ".join(map(str, self.people))
        name = {id: f"here{n}" for n, id in enumerate(self.people)}
        name |= {first + n: f"there{n}" for n in range(SERVERS * ACCOUNTS)}
        named = lambda rows: sorted(tuple(name.get(cell, cell) for cell in row) for row in rows)
        between = f"BETWEEN {first} AND {first + 10 ** 6 - 1}"
        ours = f"(id IN ({people}) OR id {between})"
        return {
            "accounts": named(self.ask(
                "SELECT id, suspended_by, following_count, followers_count FROM accounts WHERE " + ours)),
            "follows": named(self.ask(
                f"SELECT account_id, target_id FROM follows WHERE account_id IN ({people}) OR target_id IN ({people})")),
            "requests": named(self.ask(f"SELECT account_id, target_id FROM follow_requests WHERE account_id IN ({people})")),
            "kept": named(self.ask(
                f"SELECT account_id, target_id, CASE WHEN theirs THEN 1 ELSE 0 END FROM severed_follows "
                f"WHERE account_id IN ({people})")),
            "events": named(self.ask(
                f"SELECT account_id, type, following_count, followers_count FROM severances WHERE account_id IN ({people})")),
            "told": named(self.ask(
                f"SELECT account_id, count(*) FROM notifications WHERE account_id IN ({people}) "
                "AND type = 'severed_relationships' GROUP BY account_id")),
            "rules": sorted((row[0].split("-")[1], *row[1:]) for row in self.ask(
                f"SELECT domain, severity, origin FROM domain_blocks WHERE domain LIKE '{self.prefix}-%'")),
            "list": self.ask(f"SELECT step, domains, accounts, following, followers, restored FROM list_batches "
                             f"WHERE id = {self.list}"),
        }

    def asked_again(self):
        """How often each was told of a Follow: by different activities, as one may be sent again when its answer was lost."""
        with self.peers.lock:
            said = list(self.peers.said.values())
        return collections.Counter((actor, what) for kind, actor, what in said
                                   if kind == "Follow" and what in self.uris.values())


class Lists:
    def __init__(self, server, chance):
        self.server, self.chance = server, chance
        self.peers = Peers()
        layout = chance.random()
        self.calm, self.wild = (Site(server, self.peers, prefix, type(chance)(layout)) for prefix in ("calm", "wild"))
        self.results, self.kills = [], collections.Counter()

    def killed_until(self, last, kills, longest, aims):
        """The server is killed some time after the list has come to one of the steps, while it is on its way to the last, and
        never before something was done since the last time."""
        before = None
        for _ in range(kills):
            aim = STEPS.index(self.chance.choice(aims))
            within(60, lambda: STEPS.index(self.wild.step()) >= aim and self.wild.progress() != before)
            time.sleep(self.chance.uniform(0, longest))
            self.server.kill()
            at, before = self.wild.step(), self.wild.progress()
            self.kills[at] += at != last
            self.server.start()
            if at == last:
                break
        self.wild.until(last)

    def run(self, kills):
        self.calm.apply()
        self.calm.until("applied")
        self.wild.apply()
        self.killed_until("applied", kills, 0.05, ["applying", "marking", "severing", "severing"])
        self.compare("is applied")
        self.calm.undo()
        self.calm.until("undone")
        self.wild.undo()
        self.killed_until("undone", kills, 1, ["lifting", "unmarking", "restoring"])
        self.compare("is undone")
        expected = sum(len(site.state()["requests"]) for site in (self.calm, self.wild))
        total = lambda: len(self.calm.asked_again()) + len(self.wild.asked_again())
        within(60, lambda: total() >= expected)
        twice = [f"{pair} by {n} activities" for site in (self.calm, self.wild)
                 for pair, n in site.asked_again().items() if n > 1]
        self.results += [
            ("each follow is asked for again", [] if total() == expected > 0 else [f"{total()} of {expected}"]),
            ("none is asked for twice", twice),
            ("nothing else is sent", [str(said) for said in self.peers.said.values() if said[0] != "Follow"]),
        ]

    def compare(self, when):
        calm, wild = self.calm.state(), self.wild.state()
        for table in calm:
            differing = [f"{row} only {where}" for rows, others, where in (
                (calm[table], wild[table], "in peace"), (wild[table], calm[table], "when killed")) for row in rows
                if row not in others]
            self.results.append((f"when the list {when}, {table} are as in peace", differing))

    def summary(self):
        return "a list of servers, killed " + (", ".join(f"{n} times at {step}" for step, n in self.kills.items() if n) or "never")
