-- SPDX-License-Identifier: AGPL-3.0-or-later
-- What ActivityPub knows of accounts, posts and relations. Ids of other servers are kept as they came; those of our own
-- are made from the row and never stored.

-- Owned by federation: the actor behind a remote account.
CREATE TABLE actors (
    account_id BIGINT PRIMARY KEY,
    inbox TEXT NOT NULL,
    shared_inbox TEXT NOT NULL DEFAULT '',
    outbox TEXT NOT NULL DEFAULT '',
    followers TEXT NOT NULL DEFAULT '',
    following TEXT NOT NULL DEFAULT '',
    featured TEXT NOT NULL DEFAULT '',
    featured_tags TEXT NOT NULL DEFAULT '',
    also_known_as TEXT NOT NULL DEFAULT '[]',
    refreshed_at BIGINT NOT NULL
);
CREATE INDEX actors_by_followers ON actors (followers) WHERE followers <> '';
CREATE INDEX actors_by_age ON actors (refreshed_at);

-- Owned by federation: keys by their URL, ours (with the private half) and those of others. Account 0 is the server's
-- own actor.
CREATE TABLE actor_keys (
    id TEXT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    type TEXT NOT NULL,
    public_key TEXT NOT NULL,
    private_key TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX actor_keys_of ON actor_keys (account_id);

CREATE UNIQUE INDEX accounts_by_uri ON accounts (uri) WHERE uri <> '';
CREATE UNIQUE INDEX statuses_by_uri ON statuses (uri) WHERE uri IS NOT NULL;

-- The id of the activity that made a relation, where it came from outside.
ALTER TABLE follows ADD COLUMN uri TEXT;
ALTER TABLE follow_requests ADD COLUMN uri TEXT;
ALTER TABLE blocks ADD COLUMN uri TEXT;
ALTER TABLE favourites ADD COLUMN uri TEXT;
CREATE INDEX follows_by_uri ON follows (uri) WHERE uri IS NOT NULL;
CREATE INDEX follow_requests_by_uri ON follow_requests (uri) WHERE uri IS NOT NULL;
CREATE INDEX blocks_by_uri ON blocks (uri) WHERE uri IS NOT NULL;
CREATE INDEX favourites_by_uri ON favourites (uri) WHERE uri IS NOT NULL;
