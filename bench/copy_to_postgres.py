#!/usr/bin/env python3
# SPDX-License-Identifier: AGPL-3.0-or-later
"""Copies the rows of a seeded SQLite database into a migrated PostgreSQL one that has none of its own.

usage: bench/copy_to_postgres.py DATABASE URL

Tables that only one of the two engines has (indexes for full text search) are left alone: the server fills them.
"""
import argparse
import sqlite3
import subprocess

# Filled by the migrations of both engines, or derived.
LEFT_ALONE = {"schema_migrations", "settings", "status_texts", "account_texts", "notification_groups"}


def psql(url, sql, data=None):
    done = subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-At", url, "-c", sql], input=data, text=True,
                          capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"psql: {done.stderr.strip()}")
    return done.stdout


def written(value, kind):
    if value is None:
        return "\\N"
    if kind == "boolean":
        return "t" if value else "f"
    if isinstance(value, bytes):
        return "\\\\x" + value.hex()
    return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("url")
    args = parser.parse_args()
    db = sqlite3.connect(args.database)
    kinds = {}
    for line in psql(args.url, "SELECT table_name, column_name, data_type FROM information_schema.columns "
                               "WHERE table_schema = 'public'").splitlines():
        table, column, kind = line.split("|")
        kinds.setdefault(table, {})[column] = kind
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        if table in LEFT_ALONE or table not in kinds:
            continue
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] in kinds[table]]
        rows = db.execute(f"SELECT {', '.join(columns)} FROM {table}")
        text = "".join("\t".join(written(v, kinds[table][c]) for v, c in zip(row, columns)) + "\n" for row in rows)
        if text:
            psql(args.url, f"TRUNCATE {table}")
            psql(args.url, f"COPY {table} ({', '.join(columns)}) FROM STDIN", text)
    psql(args.url, "ANALYZE")


if __name__ == "__main__":
    main()
