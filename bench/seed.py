#!/usr/bin/env python3
# SPDX-License-Identifier: AGPL-3.0-or-later
"""Fills a fresh, migrated SQLite database with a site of the size that bench/load measures.

usage: bench/seed.py DATABASE [--accounts 10000] [--statuses 200000]

Prints JSON: the ids of the viewers and of what the load asks for. The same arguments give the same site.
"""
import argparse
import json
import random
import sqlite3

WORDS = ("time year people way day man thing woman life child world school state family student group country "
         "problem hand part place case week company system program question work number night point home water "
         "room mother area money story fact month lot right study book eye job word business issue side").split()
CJK = "東京 京都 大阪 天気 電車 写真 音楽 映画 今日 明日 猫 犬 ラーメン 한국 서울 北京 上海".split()
START_MS = 1_767_225_600_000  # 2026-01-01


def status_id(n, total, now_ms):
    return (START_MS + (now_ms - START_MS) * n // total) << 16


def content(rng):
    words = " ".join(rng.choice(WORDS) for _ in range(rng.randint(8, 45)))
    if rng.random() < 0.05:
        words += " " + "の".join(rng.choice(CJK) for _ in range(4))
    if rng.random() < 0.0002:
        words += " serendipity"
    tag = rng.choice(WORDS)
    html = (f'<p>{words} <a href="http://localhost/tags/{tag}" class="mention hashtag" rel="tag">#<span>{tag}</span></a> '
            f'<a href="https://example.com/{tag}" target="_blank" rel="nofollow noopener" translate="no">'
            f'<span class="invisible">https://</span><span class="">example.com/{tag}</span>'
            f'<span class="invisible"></span></a></p>')
    return f"{words} #{tag} https://example.com/{tag}", html, tag


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database")
    parser.add_argument("--accounts", type=int, default=10_000)
    parser.add_argument("--statuses", type=int, default=200_000)
    args = parser.parse_args()
    rng = random.Random(7)
    now_ms = START_MS + 300 * 86_400_000
    db = sqlite3.connect(args.database)
    db.executescript("PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF;")

    account_ids = [(START_MS - 86_400_000 << 16) + n for n in range(1, args.accounts + 1)]
    db.executemany(
        "INSERT INTO accounts (id, username, display_name, note, note_html, created_at, statuses_count, indexable) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(a, f"user{n}", f"User {n}", "I write here.", "<p>I write here.</p>", START_MS, args.statuses // args.accounts,
          n % 5 < 3) for n, a in enumerate(account_ids)])
    # Viewers: one who follows 300, one who follows half of everybody, one who follows the same 300 (and, by bench/load,
    # hashtags, beside lists and filters), and eight who post.
    viewers = {"viewer": account_ids[0], "wide": account_ids[1], "busy": account_ids[10]}
    posters = account_ids[2:10]
    others = account_ids[11:]
    for n, account in enumerate([*viewers.values(), *posters]):
        db.execute("INSERT INTO users (id, account_id, email, confirmed_at, created_at) VALUES (?, ?, ?, ?, ?)",
                   (account + 1_000_000, account, f"user{n}@example.com", START_MS, START_MS))

    follow_id = account_ids[-1] + 10_000_000
    follows = {"viewer": rng.sample(others, min(300, args.accounts // 4)),
               "wide": rng.sample(others, args.accounts // 2)}
    follows["busy"] = follows["viewer"]
    rows = []
    for name, targets in follows.items():
        for target in targets:
            follow_id += 1
            rows.append((follow_id, viewers[name], target, START_MS))
    for poster in posters:  # thirty local followers each
        for follower in rng.sample(others, 30):
            follow_id += 1
            rows.append((follow_id, follower, poster, START_MS))
    db.executemany("INSERT INTO follows (id, account_id, target_id, created_at) VALUES (?, ?, ?, ?)", rows)
    db.execute("UPDATE accounts SET followers_count = (SELECT count(*) FROM follows WHERE target_id = accounts.id), "
               "following_count = (SELECT count(*) FROM follows WHERE account_id = accounts.id)")

    tags = {}
    for word in WORDS:
        tags[word] = len(tags) + 1
        db.execute("INSERT INTO tags (id, name, display_name, created_at) VALUES (?, ?, ?, ?)",
                   (tags[word], word, word, START_MS))
    statuses, status_tags, entries, plain = [], [], [], []
    followed_by = {name: set(targets) for name, targets in follows.items()}
    thread = None
    for n in range(args.statuses):
        sid = status_id(n, args.statuses, now_ms)
        author = rng.choice(others)
        text, html, tag = content(rng)
        reply = reblog = reblog_author = reply_account = None
        if plain and rng.random() < 0.1:
            reblog, reblog_author = rng.choice(plain[-5000:])
            text = html = ""
        if n == args.statuses // 2:
            thread = (sid, author)
        elif thread and n > args.statuses // 2 and n <= args.statuses // 2 + 50:
            reply, reply_account, reblog = thread[0], thread[1], None
        created = sid >> 16
        statuses.append((sid, author, sid, reply, reply_account, reblog, "public", 0 if reblog else 2, created, "en",
                         text, html))
        if not reblog:
            plain.append((sid, author))
            status_tags.append((tags[tag], sid))
        for name, targets in followed_by.items():
            if author in targets:
                entries.append((viewers[name], sid, author, reblog or sid, reblog_author if reblog else author,
                                reply_account))
    db.executemany(
        "INSERT INTO statuses (id, account_id, conversation_id, in_reply_to_id, in_reply_to_account_id, reblog_of_id, "
        "visibility, relations, created_at, language, text, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT DO NOTHING", statuses)
    db.executemany("INSERT OR IGNORE INTO status_tags (tag_id, status_id) VALUES (?, ?)", status_tags)
    db.executemany("INSERT OR IGNORE INTO home_entries (account_id, status_id, author_id, original_id, "
                   "original_author_id, reply_to_account_id) VALUES (?, ?, ?, ?, ?, ?)", entries)
    db.execute("UPDATE statuses SET replies_count = 50 WHERE id = ?", (thread[0],))
    noted = [(now_ms + n << 16, viewers["viewer"], author, sid, f"favourite-{sid}-1", now_ms + n)
             for n, (author, sid) in enumerate([(rng.choice(others), rng.choice(plain)[0]) for _ in range(500)])]
    db.executemany("INSERT OR IGNORE INTO notifications (id, account_id, from_account_id, type, status_id, group_key, "
                   "created_at) VALUES (?, ?, ?, 'favourite', ?, ?, ?)", noted)
    # The server fills the search indexes when it starts (bench/load waits for that).
    db.executemany("INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES (?, ?, ?, 0, 0)", [
        (9001, "index_older", json.dumps({"below": str(2**63 - 1)})),
        (9002, "index_older_accounts", json.dumps({"below": str(2**63 - 1)}))])
    db.commit()
    db.execute("ANALYZE")
    db.commit()
    print(json.dumps({
        "viewer": "user0", "wide": "user1", "busy": "user10", "followed": [str(a) for a in follows["busy"][:50]],
        "tags": WORDS[:20], "posters": [f"user{n}" for n in range(2, 10)],
        "account": str(follows["viewer"][0]), "status": str(plain[-1][0]), "thread": str(thread[0]),
    }))


if __name__ == "__main__":
    main()
