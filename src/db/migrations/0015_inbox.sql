-- SPDX-License-Identifier: AGPL-3.0-or-later
-- All owned by federation.

-- Activities that were received and are to be processed. `signer` is the id of the actor whose key signed the request,
-- `recipient_id` the account whose own inbox it came to (0: the shared one). Those with the same `order_key` are about the
-- same thing and go one after another. `asking`: another server has to be asked before it can be done.
CREATE TABLE inbox_items (
    id BIGINT PRIMARY KEY,
    order_key BIGINT NOT NULL,
    recipient_id BIGINT NOT NULL,
    run_at BIGINT NOT NULL,
    leased_until BIGINT NOT NULL DEFAULT 0,
    attempts BIGINT NOT NULL DEFAULT 0,
    asking BOOLEAN NOT NULL DEFAULT FALSE,
    signer TEXT NOT NULL,
    synchronization TEXT NOT NULL DEFAULT '',
    error TEXT,
    body TEXT NOT NULL
);
CREATE INDEX inbox_items_due ON inbox_items (asking, run_at, id);
CREATE INDEX inbox_items_in_order ON inbox_items (order_key, id);

-- Ids of activities that were processed.
CREATE TABLE seen_activities (
    id TEXT PRIMARY KEY,
    seen_at BIGINT NOT NULL
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX seen_activities_by_age ON seen_activities (seen_at);

-- What an actor deleted or undid before it came: it is not to come any more.
CREATE TABLE early_ends (
    uri TEXT NOT NULL,
    actor TEXT NOT NULL,
    ends_at BIGINT NOT NULL,
    PRIMARY KEY (uri, actor)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX early_ends_by_age ON early_ends (ends_at);

-- Keys as their servers showed them some minutes ago, and failures to be shown them (`public_key` is empty), so that
-- nobody can make us ask again and again.
CREATE TABLE fetched_keys (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    actor TEXT NOT NULL,
    public_key TEXT NOT NULL,
    fetched_at BIGINT NOT NULL
);
CREATE INDEX fetched_keys_by_host ON fetched_keys (host, fetched_at);
CREATE INDEX fetched_keys_by_age ON fetched_keys (fetched_at);

-- When the lists of an actor's followers, here and there, were last compared by asking (FEP-8fcf).
CREATE TABLE synchronizations (
    account_id BIGINT PRIMARY KEY,
    asked_at BIGINT NOT NULL
);

-- When an account last moved away; it cannot again for a week.
CREATE TABLE moves (
    account_id BIGINT PRIMARY KEY,
    moved_at BIGINT NOT NULL
);
