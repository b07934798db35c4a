-- SPDX-License-Identifier: AGPL-3.0-or-later
-- Each table's comment names the slice that owns it: only that slice writes it.

-- relationships: domains that single users want to hear nothing from, without their subdomains
CREATE TABLE user_domain_blocks (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    domain TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX user_domain_blocks_by_domain ON user_domain_blocks (account_id, domain);
CREATE INDEX user_domain_blocks_of ON user_domain_blocks (account_id, id);
CREATE INDEX blocks_of ON blocks (account_id, id);
CREATE INDEX mutes_of ON mutes (account_id, id);
CREATE TABLE endorsements (
    account_id BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, target_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE TABLE account_notes (
    account_id BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    comment TEXT NOT NULL,
    PRIMARY KEY (account_id, target_id)
)/*sqlite: WITHOUT ROWID*/;

-- relationships: follows that ended together, not by the wish of who followed. `purged`: who they were is forgotten.
CREATE TABLE severances (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    type TEXT NOT NULL,
    target_name TEXT NOT NULL,
    purged BOOLEAN NOT NULL DEFAULT FALSE,
    followers_count BIGINT NOT NULL DEFAULT 0,
    following_count BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
CREATE INDEX severances_of ON severances (account_id, id);

-- moderation. Lists of ids are JSON arrays; `forward_to` holds the domains a report goes to besides.
CREATE TABLE reports (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    category TEXT NOT NULL,
    comment TEXT NOT NULL,
    status_ids TEXT NOT NULL DEFAULT '[]',
    rule_ids TEXT,
    collection_ids TEXT NOT NULL DEFAULT '[]',
    forwarded BOOLEAN NOT NULL DEFAULT FALSE,
    forward_to TEXT NOT NULL DEFAULT '[]',
    assigned_account_id BIGINT,
    action_taken_at BIGINT,
    action_taken_by_id BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX reports_by ON reports (account_id, id);
CREATE INDEX reports_on ON reports (target_id, id);
CREATE INDEX reports_open ON reports (id) WHERE action_taken_at IS NULL;

-- discovery: whom to suggest to an account, best first in each source; account 0 stands for everybody
CREATE TABLE suggestions (
    account_id BIGINT NOT NULL,
    source TEXT NOT NULL,
    rank BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    PRIMARY KEY (account_id, source, rank)
)/*sqlite: WITHOUT ROWID*/;
CREATE TABLE suggestion_runs (
    account_id BIGINT PRIMARY KEY,
    relations_version BIGINT NOT NULL,
    finished_at BIGINT NOT NULL
);
CREATE TABLE suggestion_dismissals (
    account_id BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    PRIMARY KEY (account_id, target_id)
)/*sqlite: WITHOUT ROWID*/;

-- accounts: what the directory and the suggestions walk
CREATE INDEX accounts_listed_by_activity ON accounts (COALESCE(last_status_at, 0), id)
    WHERE discoverable = TRUE AND suspended_at IS NULL AND silenced_at IS NULL AND moved_to_id IS NULL;
CREATE INDEX accounts_listed_by_age ON accounts (id)
    WHERE discoverable = TRUE AND suspended_at IS NULL AND silenced_at IS NULL AND moved_to_id IS NULL;
CREATE INDEX accounts_listed_by_followers ON accounts (followers_count, id)
    WHERE discoverable = TRUE AND suspended_at IS NULL AND silenced_at IS NULL AND moved_to_id IS NULL;
