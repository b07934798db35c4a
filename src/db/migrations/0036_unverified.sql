-- SPDX-License-Identifier: AGPL-3.0-or-later
-- All owned by federation.

-- Activities that were received while the server of the key they are signed with could not be asked, with the requests
-- they came in. Nothing is done about them before their signature is verified. `host` and `key_id` are of that key, `bytes`
-- is what counts towards what is kept of a host.
CREATE TABLE unverified_items (
    id BIGINT PRIMARY KEY,
    host TEXT NOT NULL,
    key_id TEXT NOT NULL,
    recipient_id BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    run_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    bytes BIGINT NOT NULL,
    target TEXT NOT NULL,
    headers TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX unverified_items_due ON unverified_items (host, run_at, id);
CREATE INDEX unverified_items_by_key ON unverified_items (key_id);

-- The hosts of those, with how much is kept of each; the row of host '' has how much of all. Whoever verifies leases a
-- host. `refusals`: how often in a row it could not be asked.
CREATE TABLE unverified_hosts (
    host TEXT PRIMARY KEY,
    items BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    leased_until BIGINT NOT NULL DEFAULT 0,
    refusals BIGINT NOT NULL DEFAULT 0
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX unverified_hosts_due ON unverified_hosts (next_at);

-- `held`: what made us ask was signed with the key. It does not count towards how often a host is asked in vain.
ALTER TABLE fetched_keys ADD COLUMN held BOOLEAN NOT NULL DEFAULT FALSE;
