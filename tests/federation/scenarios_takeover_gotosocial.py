# SPDX-License-Identifier: AGPL-3.0-or-later
"""As in scenarios_takeover.py, but the server whose place is taken is a GoToSocial: its database is a file, its ids are no numbers, and
its keys have addresses of their own."""
import json
import sqlite3

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import load_pem_public_key

import scenarios_takeover as mastodon
from former import Actor
from taking import DUMP

NEEDS = "gotosocial"
ONE_BY_ONE = True
ALICE, BOB = "01PP9N5MV8F19VS8ZH0DJ2WTAH", "01H7N83RYV9Z3MBCD3DA4Q3BZR"
FILE = f"{ALICE}/attachment/original/01M81NR2BRGGX04TJ4HB9ZJKH2.png"


def ulid(end):
    return "01M8000000" + end.rjust(16, "0")


def private_key(stored):
    """Of the numbers of an RSA key, as Go writes them."""
    said = json.loads(stored)
    p, q = said["Primes"]
    public = rsa.RSAPublicNumbers(said["E"], said["N"])
    return rsa.RSAPrivateNumbers(p, q, said["D"], said["D"] % (p - 1), said["D"] % (q - 1), pow(q, -1, p), public).private_key()


class Database:
    alice_token = "ZTY5MGEYNDITMMEXMC0ZMTLILTGXMDITNDVKMDFLNGYZM2RM"
    estuary, picture = "01M81NR2Q99PR48KDMZJD5NQ84", "01M81NR2QFS1JR7A1JGX2BFB3W"
    pia, answer = ulid("P1A"), ulid("ANSWER")
    follow = f"/users/alice/follow/{ulid('F011')}"
    file, bytes = "/fileserver/" + FILE, b"bytes of a picture"
    counts = (2, 1, 3)
    others_follow_alice = 2
    follows = 5

    def __init__(self, dunlin):
        file = dunlin.folder / "sqlite.db"
        self.url, self.database = f"sqlite:{file}", sqlite3.connect(file, isolation_level=None)
        self.origin, host = f"http://127.0.0.1:{dunlin.port}", f"127.0.0.1:{dunlin.port}"
        self.actor = "/users/" + host
        seed = (DUMP.parent / "gotosocial-small.sql").read_text()
        self.database.executescript(seed.replace("https://social.example.org", self.origin).replace("social.example.org", host))
        # The key of the other server in the seed is shorter than any that is taken.
        self.database.execute("UPDATE accounts SET public_key = (SELECT public_key FROM accounts WHERE username = 'bob') WHERE username = 'wren'")
        (dunlin.folder / "old").write_text(f'host: "{host}"\n')
        picture = dunlin.folder / "system" / FILE
        picture.parent.mkdir(parents=True)
        picture.write_bytes(self.bytes)

    def put(self, table, **columns):
        self.database.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})", list(columns.values()))

    def actors(self):
        rows = self.database.execute("SELECT username, uri, public_key_uri, private_key FROM accounts WHERE username IN ('alice', 'bob') ORDER BY username")
        return [Actor(name, uri, key_id, private_key(key)) for name, uri, key_id, key in rows]

    def store(self, met):
        key = load_pem_public_key(met.document["publicKey"]["publicKeyPem"].encode()).public_numbers()
        alice = f"{self.origin}/users/alice"
        self.put("accounts", id=self.pia, username=met.name, domain=met.host, display_name="Pia", uri=met.document["id"], url=met.document["id"],
                 inbox_uri=met.document["inbox"], shared_inbox_uri=met.document["endpoints"]["sharedInbox"], outbox_uri=met.document["outbox"],
                 followers_uri=met.document["followers"], following_uri=met.document["following"], actor_type=4,
                 public_key=json.dumps({"N": key.n, "E": key.e}), public_key_uri=met.document["publicKey"]["id"])
        self.put("follows", id=ulid("F011"), account_id=ALICE, target_account_id=self.pia, uri=met.followed)
        self.put("follows", id=ulid("F012"), account_id=self.pia, target_account_id=ALICE, uri=met.follows["alice"])
        self.put("follows", id=ulid("F013"), account_id=self.pia, target_account_id=BOB, uri=met.follows["bob"])
        thread, = self.database.execute("SELECT thread_id FROM statuses WHERE id = ?", [self.estuary]).fetchone()
        self.put("statuses", id=self.answer, uri=met.answer, url=met.answer, content="<p>an answer of before</p>", local=0, account_id=self.pia,
                 account_uri=met.document["id"], in_reply_to_id=self.estuary, in_reply_to_uri=f"{alice}/statuses/{self.estuary}",
                 in_reply_to_account_id=ALICE, activity_streams_type="Note", federated=1, visibility=2, thread_id=thread)
        self.put("mentions", id=ulid("NAMED"), status_id=self.answer, origin_account_id=self.pia, origin_account_uri=met.document["id"],
                 target_account_id=ALICE)
        self.put("status_faves", id=ulid("FAVE"), account_id=self.pia, target_account_id=ALICE, status_id=self.estuary, uri=met.like)
        self.database.close()


class Stage(mastodon.Stage):
    Database = Database


s80_a_rehearsal_reaches_nobody_and_leaves_nothing = mastodon.s80_a_rehearsal_reaches_nobody_and_leaves_nothing
s81_the_peer_believes_what_is_said_now_by_the_keys_it_has = mastodon.s81_the_peer_believes_what_is_said_now_by_the_keys_it_has
s82_people_keys_and_posts_are_what_they_were = mastodon.s82_people_keys_and_posts_are_what_they_were
s83_answers_likes_and_boosts_of_old_posts_count = mastodon.s83_answers_likes_and_boosts_of_old_posts_count
s84_old_posts_are_edited_and_deleted_under_their_old_ids = mastodon.s84_old_posts_are_edited_and_deleted_under_their_old_ids
s85_follows_of_before_end = mastodon.s85_follows_of_before_end
s86_passwords_of_before_are_right = mastodon.s86_passwords_of_before_are_right
