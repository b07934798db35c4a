-- SPDX-License-Identifier: AGPL-3.0-or-later
-- What is looked for by the clock is found without looking at everybody.
CREATE INDEX expiring_mutes ON mutes (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX unconfirmed_users ON users (created_at) WHERE confirmed_at IS NULL;
CREATE INDEX suspended_accounts ON accounts (suspended_at) WHERE suspended_at IS NOT NULL;
CREATE INDEX sessions_by_age ON web_sessions (created_at);
