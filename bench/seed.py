#!/usr/bin/env python3
# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fills a fresh, migrated SQLite database with a site of the size that bench/load measures.

usage: bench/seed.py DATABASE [--accounts 10000] [--statuses 200000] [--days 300] [--since MS]

One account of twenty is of this site, as are its posts; the others are of a thousand servers. Rows are written first and
their indexes then, in memory that does not grow with the site. Full text is indexed by the server itself (bench/load waits
for it), since that is how an index comes about.

Prints JSON: the ids of the viewers and of what the load asks for. The same arguments give the same site.
"""
import argparse
import collections
import json
import random
import sqlite3

WORDS = ("time year people way day man thing woman life child world school state family student group country "
         "problem hand part place case week company system program question work number night point home water "
         "room mother area money story fact month lot right study book eye job word business issue side").split()
CJK = "東京 京都 大阪 天気 電車 写真 音楽 映画 今日 明日 猫 犬 ラーメン 한국 서울 北京 上海".split()
START_MS = 1_767_225_600_000  # 2026-01-01


def status_id(n, total, start_ms, now_ms):
    return (start_ms + (now_ms - start_ms) * n // total) << 16


def texts(rng, count=20_000):
    """Posts are these, over and over: making each anew takes longer than storing it."""
    return [content(rng, n % 5000 == 0) for n in range(count)]


def content(rng, rare):
    words = " ".join(rng.choice(WORDS) for _ in range(rng.randint(8, 45)))
    if rng.random() < 0.05:
        words += " " + "の".join(rng.choice(CJK) for _ in range(4))
    if rare:
        words += " serendipity"
    tag = rng.choice(WORDS)
    html = (f'<p>{words} <a href="http://localhost/tags/{tag}" class="mention hashtag" rel="tag">#<span>{tag}</span></a> '
            f'<a href="https://example.com/{tag}" target="_blank" rel="nofollow noopener" translate="no">'
            f'<span class="invisible">https://</span><span class="">example.com/{tag}</span>'
            f'<span class="invisible"></span></a></p>')
    return f"{words} #{tag} https://example.com/{tag}", html, tag


class Rows:
    """Rows of a table on their way into it, some thousands at a time. Columns that the table does not have are left out,
    so that the program of before can be measured beside that of today."""

    def __init__(self, db, table, columns, conflict="ON CONFLICT DO NOTHING"):
        known = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
        self.places = [i for i, name in enumerate(columns) if name in known]
        self.whole = len(self.places) == len(columns)
        names = ", ".join(columns[i] for i in self.places)
        self.sql = f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(self.places))}) {conflict}"
        self.db, self.waiting = db, []

    def add(self, *row):
        self.waiting.append(row if self.whole else tuple(row[i] for i in self.places))
        if len(self.waiting) == 5000:
            self.write()

    def write(self):
        self.db.executemany(self.sql, self.waiting)
        self.waiting.clear()


def take_indexes(db, tables):
    """Drops the indexes of some tables; returns what makes them anew."""
    found = [row for table in tables for row in db.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL", (table,))]
    for name, _ in found:
        db.execute(f"DROP INDEX {name}")
    return [sql for _, sql in found]


def is_local(n):
    return n % 20 == 0 or n < 11  # the first are viewers and posters


def server(n):
    return f"s{n % 997}.example"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database")
    parser.add_argument("--accounts", type=int, default=10_000)
    parser.add_argument("--statuses", type=int, default=200_000)
    parser.add_argument("--days", type=int, default=300, help="in which the posts were written, one as long after the other")
    parser.add_argument("--since", type=int, default=START_MS, metavar="MS", help="when the first of these days began")
    args = parser.parse_args()
    rng = random.Random(7)
    start_ms = args.since
    now_ms = start_ms + args.days * 86_400_000
    db = sqlite3.connect(args.database, isolation_level=None)
    for pragma in ("journal_mode = DELETE", "journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF",
                   "locking_mode = EXCLUSIVE", "cache_size = -400000", "temp_store = FILE"):
        db.execute(f"PRAGMA {pragma}").fetchall()
    db.execute("BEGIN")
    indexes = take_indexes(db, ("accounts", "statuses", "status_tags", "home_entries"))

    first_id = (start_ms - 86_400_000 << 16) + 1
    account_id = lambda n: first_id + n
    accounts = Rows(db, "accounts", ("id", "username", "domain", "uri", "url", "display_name", "note", "note_html",
                                     "created_at", "statuses_count", "indexable"))
    for n in range(args.accounts):
        home = "" if is_local(n) else f"https://{server(n)}/users/user{n}"
        accounts.add(account_id(n), f"user{n}", "" if is_local(n) else server(n), home,
                     f"https://{server(n)}/@user{n}" if home else "", f"User {n}", "I write here.",
                     "<p>I write here.</p>", start_ms, args.statuses // args.accounts, n % 5 < 3 or is_local(n))
    accounts.write()
    # Viewers: one who follows 300, one who follows 5,000 (or half of everybody), one who follows the same 300 (and, by
    # bench/load, hashtags, beside lists and filters), and eight who post.
    viewers = {"viewer": 0, "wide": 1, "busy": 10}
    posters, others = range(2, 10), range(11, args.accounts)
    people_here = range(20, args.accounts, 20)
    for n, one in enumerate([*viewers.values(), *posters]):
        db.execute("INSERT INTO users (id, account_id, email, confirmed_at, created_at) VALUES (?, ?, ?, ?, ?)",
                   (account_id(one) + 10_000_000, account_id(one), f"user{n}@example.com", start_ms, start_ms))

    follow_id = first_id + 20_000_000
    follows = {"viewer": rng.sample(others, min(300, args.accounts // 4)),
               "wide": rng.sample(others, min(5000, args.accounts // 2))}
    follows["busy"] = follows["viewer"]
    rows = Rows(db, "follows", ("id", "account_id", "target_id", "created_at"))
    pairs = [(viewers[name], target) for name, targets in follows.items() for target in targets]
    pairs += [(follower, poster) for poster in posters
              for follower in rng.sample(people_here, min(30, len(people_here)))]
    following, followers = collections.Counter(), collections.Counter()
    for account, target in pairs:
        follow_id += 1
        following[account] += 1
        followers[target] += 1
        rows.add(follow_id, account_id(account), account_id(target), start_ms)
    rows.write()
    for column, counts in (("following_count", following), ("followers_count", followers)):
        db.executemany(f"UPDATE accounts SET {column} = ? WHERE id = ?",
                       [(count, account_id(n)) for n, count in counts.items()])

    tags = {word: n for n, word in enumerate(WORDS, 1)}
    db.executemany("INSERT INTO tags (id, name, display_name, created_at) VALUES (?, ?, ?, ?)",
                   [(n, word, word, start_ms) for word, n in tags.items()])
    statuses = Rows(db, "statuses", ("id", "account_id", "conversation_id", "in_reply_to_id", "in_reply_to_account_id",
                                     "reblog_of_id", "visibility", "relations", "local", "created_at", "language", "uri",
                                     "url", "text", "content"))
    status_tags = Rows(db, "status_tags", ("tag_id", "status_id", "account_id", "local", "reach"))
    entries = Rows(db, "home_entries", ("account_id", "status_id", "author_id", "original_id", "original_author_id",
                                        "reply_to_account_id"))
    followed_by = [(account_id(viewers[name]), set(targets)) for name, targets in follows.items()]
    pool = texts(rng)
    recent, own, middle = collections.deque(maxlen=5000), [], args.statuses // 2
    thread = status = None
    for n in range(args.statuses):
        sid = status_id(n, args.statuses, start_ms, now_ms)
        author = others[int(rng.random() * len(others))]
        if n == middle or n == args.statuses - 1:  # what is asked for by itself is of this site
            author = people_here[0]
        elif n % max(1, args.statuses // 100) == 7:
            author = viewers["viewer"]
        elif n % max(1, args.statuses // 100) == 11:
            author = people_here[0]
        local = is_local(author)
        text, html, tag = pool[int(rng.random() * len(pool))]
        reply = reblog = reblog_author = reply_account = None
        if thread and middle < n <= middle + 50:
            reply, reply_account = thread
        elif recent and n != middle and author != viewers["viewer"] and rng.random() < 0.1 and n < args.statuses - 1:
            reblog, reblog_author = recent[int(rng.random() * len(recent))]
            text = html = ""
        writer = account_id(author)
        if n == middle:
            thread = (sid, writer)
        uri = None if local else f"https://{server(author)}/users/user{author}/statuses/{sid}"
        url = None if local else f"https://{server(author)}/@user{author}/{sid}"
        statuses.add(sid, writer, sid, reply, reply_account, reblog, "public", 0 if reblog else 2, local, sid >> 16, "en",
                     uri, url, "" if uri else text, html)
        if not reblog:
            recent.append((sid, writer))
            status_tags.add(tags[tag], sid, writer, local, 0)
            status = sid
            if author == viewers["viewer"]:
                own.append(sid)
        for viewer, targets in followed_by:
            if author in targets or writer == viewer:
                entries.add(viewer, sid, writer, reblog or sid, reblog_author if reblog else writer, reply_account)
    for table in (statuses, status_tags, entries):
        table.write()
    db.execute("UPDATE statuses SET replies_count = 50 WHERE id = ?", (thread[0],))
    noted = Rows(db, "notifications", ("id", "account_id", "from_account_id", "type", "status_id", "group_key",
                                       "created_at"))
    for n in range(500):
        about = rng.choice(own)
        noted.add(now_ms + n << 16, account_id(viewers["viewer"]), account_id(rng.choice(others)), "favourite", about,
                  f"favourite-{about}-1", now_ms + n)
    noted.write()
    # The server fills the search indexes when it starts (bench/load waits for that).
    db.executemany("INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES (?, ?, ?, 0, 0)", [
        (9001, "index_older", json.dumps({"below": str(2**63 - 1)})),
        (9002, "index_older_accounts", json.dumps({"below": str(2**63 - 1)}))])
    for sql in indexes:
        db.execute(sql)
    db.execute("PRAGMA analysis_limit = 2000").fetchall()
    db.execute("ANALYZE")
    db.execute("COMMIT")
    db.execute("PRAGMA journal_mode = WAL").fetchall()
    print(json.dumps({
        "viewer": "user0", "wide": "user1", "busy": "user10",
        "followed": [str(account_id(n)) for n in follows["busy"][:50]],
        "tags": WORDS[:20], "posters": [f"user{n}" for n in posters],
        "account": str(account_id(people_here[0])), "status": str(status), "thread": str(thread[0]),
    }))


if __name__ == "__main__":
    main()
