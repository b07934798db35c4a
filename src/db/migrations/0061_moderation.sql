-- SPDX-License-Identifier: AGPL-3.0-or-later
-- accounts: from where users came, and when last. `sorted` is the address as 32 hexadecimal digits, so that those of a
-- network stand together.
CREATE TABLE user_addresses (
    user_id BIGINT NOT NULL,
    address TEXT NOT NULL,
    sorted TEXT NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, address)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX user_addresses_sorted ON user_addresses (sorted, user_id);
CREATE INDEX user_addresses_by_age ON user_addresses (used_at);
-- accounts: who is suspended by a decision of this site, and when what they left is deleted. Without a row it is deleted
-- already.
CREATE TABLE deletions (
    account_id BIGINT PRIMARY KEY,
    due_at BIGINT NOT NULL
);
CREATE INDEX deletions_due ON deletions (due_at);
INSERT INTO deletions (account_id, due_at)
    SELECT id, suspended_at + 2592000000 FROM accounts WHERE suspended_at IS NOT NULL AND suspended_by = '';
DROP INDEX suspended_accounts;
CREATE INDEX accounts_suspended ON accounts (id) WHERE suspended_at IS NOT NULL;
CREATE INDEX accounts_silenced ON accounts (id) WHERE silenced_at IS NOT NULL;
CREATE INDEX accounts_sensitized ON accounts (id) WHERE sensitized_at IS NOT NULL;
CREATE INDEX users_pending ON users (account_id) WHERE approved = FALSE;
CREATE INDEX users_disabled ON users (account_id) WHERE disabled = TRUE;
CREATE INDEX users_invited ON users (invite_code, account_id) WHERE invite_code IS NOT NULL;
-- accounts: addresses for mail that nobody may sign up with, as the hash of their plainest spelling. Those of suspended
-- accounts name them.
CREATE TABLE canonical_email_blocks (
    id BIGINT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    account_id BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX canonical_email_blocks_of ON canonical_email_blocks (account_id) WHERE account_id IS NOT NULL;
-- moderation: what was done about an account, and told to its owner. `status_ids` is JSON.
CREATE TABLE strikes (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    actor_id BIGINT NOT NULL,
    action TEXT NOT NULL,
    text TEXT NOT NULL,
    report_id BIGINT,
    status_ids TEXT,
    created_at BIGINT NOT NULL,
    overruled_at BIGINT
);
CREATE INDEX strikes_of_account ON strikes (account_id, id);
-- moderation: what the account concerned says against it, once.
CREATE TABLE appeals (
    id BIGINT PRIMARY KEY,
    strike_id BIGINT NOT NULL UNIQUE,
    account_id BIGINT NOT NULL,
    text TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending',
    created_at BIGINT NOT NULL,
    decided_at BIGINT,
    decided_by_id BIGINT
);
CREATE INDEX appeals_by_state ON appeals (state, id);
-- moderation: texts for warnings, written once.
CREATE TABLE warning_presets (
    id BIGINT PRIMARY KEY,
    title TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX reports_resolved ON reports (id) WHERE action_taken_at IS NOT NULL;
