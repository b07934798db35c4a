# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list of servers is previewed, applied and undone, once in peace and once while the server is killed at random moments of the
work in the background: in the end both sites are the same and as the preview said, each person was told once, and each follow was
asked for again once."""
import collections
import dataclasses
import json
import sqlite3
import subprocess
import time

from peers import Peers
from server import within



@dataclasses.dataclass
class Size:
    people: int
    servers: int
    listed: int  # of the servers
    accounts: int  # of each server
    follows: int  # of each of the people, of accounts elsewhere
    followers: int
    patience: int  # seconds for what nobody interrupts


SAMPLE = Size(people=6, servers=40, listed=30, accounts=10, follows=80, followers=320, patience=120)
WHOLE = Size(people=50, servers=6000, listed=5000, accounts=2, follows=300, followers=1700, patience=900)
ROWS = 2000  # in one statement
STEPS = ["applying", "marking", "collecting", "severing", "telling", "applied",
         "lifting", "unmarking", "restoring", "undone"]
FIRST = {"calm": 10 ** 15, "wild": 2 * 10 ** 15}  # numbers of the rows of each site
# Where what is done of the work is counted, and as what it is.
COUNTED = {"severing": ("following", "followers"), "restoring": ("restored",)}
DAY = 86_400_000


class Site:
    """People here and servers elsewhere, called by a prefix, so that two of them fit into one database."""

    def __init__(self, server, peers, prefix, chance, size):
        self.server, self.peers, self.prefix, self.chance, self.size = server, peers, prefix, chance, size
        self.people = [int(json.loads(server.run(
            "account", "create", f"{prefix}{n}", "--email", f"{prefix}{n}@example.org", "--confirmed", "--json"))["id"])
            for n in range(size.people)]
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

    def insert(self, table, columns, rows):
        for at in range(0, len(rows), ROWS):
            self.ask(f"INSERT INTO {table} ({columns}) VALUES " + ", ".join(rows[at:at + ROWS]))

    def fill(self):
        first, now, size = FIRST[self.prefix], int(time.time() * 1000), self.size
        accounts, actors, servers, follows = [], [], [], []
        for n in range(size.servers * size.accounts):
            at = n % size.servers
            domain, host = self.domain(at), f"127.0.{1 + at // 200}.{1 + at % 200}:{self.peers.port}"
            uri = f"http://{host}/users/{self.prefix}{n}"
            self.uris[first + n] = uri
            accounts.append(f"({first + n}, 'p{n}', '{domain}', '{uri}', '{uri}', {now - DAY})")
            actors.append(f"({first + n}, '{uri}/inbox', '', {now})")
        for n in range(size.servers):
            servers.append(f"('{self.domain(n)[::-1]}', '{self.domain(n)}')")
        number = first + 10 ** 6
        for person in self.people:
            for there in self.chance.sample(range(size.servers * size.accounts), size.follows):
                follows.append(f"({(number := number + 1)}, {person}, {first + there}, {now})")
            for there in self.chance.sample(range(size.servers * size.accounts), size.followers):
                follows.append(f"({(number := number + 1)}, {first + there}, {person}, {now})")
        self.insert("accounts", "id, username, domain, uri, url, created_at", accounts)
        self.insert("actors", "account_id, inbox, shared_inbox, refreshed_at", actors)
        self.insert("known_servers", "reversed, domain", servers)
        self.insert("follows", "id, account_id, target_id, created_at", follows)
        for counter, column in (("following_count", "account_id"), ("followers_count", "target_id")):
            self.ask(f"UPDATE accounts SET {counter} = (SELECT count(*) FROM follows WHERE {column} = accounts.id)")

    def write_list(self):
        self.file = self.server.folder / f"{self.prefix}.txt"
        self.file.write_text("".join(self.domain(n) + "\n" for n in range(self.size.listed)))

    def preview(self):
        return json.loads(self.server.run("list", "preview", str(self.file), "--json"))

    def apply(self):
        self.list = json.loads(self.server.run("list", "apply", str(self.file), "--name", "a list", "--json"))["id"]

    def undo(self):
        self.server.run("list", "undo", self.list)

    def step(self):
        return self.ask(f"SELECT step FROM list_batches WHERE id = {self.list}")[0][0]

    def progress(self):
        """The step, and what is done by now."""
        row = self.ask(f"SELECT step, accounts, following, followers, restored FROM list_batches WHERE id = {self.list}")[0]
        return row[0], dict(zip(("accounts", "following", "followers", "restored"), row[1:]))

    def until(self, step):
        if not within(self.size.patience, lambda: self.step() == step):
            raise TimeoutError(f"the list is still {self.step()}, not {step}")

    def numbers(self):
        """How many rows there are of what a list changes."""
        return [self.ask(f"SELECT count(*) FROM {table}") for table in (
            "domain_blocks", "list_batches", "follows", "severed_follows", "audit_entries")]

    def state(self):
        """All that the list touched, by names that both sites share."""
        first, people = FIRST[self.prefix], ", ".join(map(str, self.people))
        name = {id: f"here{n}" for n, id in enumerate(self.people)}
        name |= {first + n: f"there{n}" for n in range(self.size.servers * self.size.accounts)}
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
    def __init__(self, server, chance, size):
        self.server, self.chance, self.size = server, chance, size
        self.peers = Peers()
        layout = chance.random()
        self.calm, self.wild = (
            Site(server, self.peers, prefix, type(chance)(layout), size) for prefix in ("calm", "wild"))
        self.results, self.kills = [], collections.Counter()

    def moments(self, kills, early, counted):
        """When the server is killed: in the early steps, and most often at random parts of the one where it counts."""
        early = early[:kills // 3]
        parts = sorted(self.chance.random() for _ in range(kills - len(early)))
        return [(step, 0) for step in early] + [(counted, part) for part in parts]

    def killed_until(self, last, moments, longest):
        """The server is killed shortly after each of the moments, and never before something was done since the last time."""
        whole = self.calm.progress()[1]
        before = None

        def come(step, part):
            now, done = self.wild.progress()
            if (now, done) == before:
                return False
            names = COUNTED.get(step, ())
            enough = sum(done[name] for name in names) >= part * sum(whole[name] for name in names)
            return STEPS.index(now) > STEPS.index(step) or now == step and enough

        for step, part in moments:
            if not within(self.size.patience, lambda: come(step, part)):
                raise TimeoutError(f"the list is still at {self.wild.progress()}, not at {part} of {step}")
            time.sleep(self.chance.uniform(0, longest))
            self.server.kill()
            before = self.wild.progress()
            self.kills[before[0]] += before[0] != last
            self.server.start()
            if before[0] == last:
                break
        self.wild.until(last)

    def run(self, kills):
        for site in (self.calm, self.wild):
            site.write_list()
        untouched, told = self.calm.numbers(), self.calm.preview()
        self.results.append(("a preview changes nothing", [] if self.calm.numbers() == untouched else ["it did"]))
        self.calm.apply()
        self.calm.until("applied")
        done = self.calm.progress()[1]
        self.results.append(("what was previewed is what happens", [
            f"{name}: {told[name]} previewed, {done[name]} done" for name in ("accounts", "following", "followers")
            if told[name] != done[name]] + ([] if told["added"] == self.size.listed else [f"{told['added']} domains"])))
        self.wild.apply()
        self.killed_until("applied", self.moments(kills, ["applying", "marking", "collecting"], "severing"), 0.03)
        self.compare("is applied")
        self.calm.undo()
        self.calm.until("undone")
        self.wild.undo()
        self.killed_until("undone", self.moments(kills, ["lifting", "unmarking"], "restoring"), 1)
        self.compare("is undone")
        expected = sum(len(site.state()["requests"]) for site in (self.calm, self.wild))
        total = lambda: len(self.calm.asked_again()) + len(self.wild.asked_again())
        within(self.size.patience, lambda: total() >= expected)
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
            in_peace, killed = collections.Counter(calm[table]), collections.Counter(wild[table])
            differing = [f"{row} {n} times only {where}" for rows, where in (
                (in_peace - killed, "in peace"), (killed - in_peace, "when killed")) for row, n in rows.items()]
            self.results.append((f"when the list {when}, {table} are as in peace", differing))

    def summary(self):
        size = self.size
        return (f"a list of {size.listed} domains, {size.people * (size.follows + size.followers)} follows of {size.people} people, "
                "killed " + (", ".join(f"{n} times at {step}" for step, n in self.kills.items() if n) or "never"))
