-- SPDX-License-Identifier: AGPL-3.0-or-later
-- rules: words, domains or hashtags that rules have in common, one in each line of `entries`.
CREATE TABLE word_lists (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    size BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    entries TEXT NOT NULL
);
CREATE UNIQUE INDEX word_lists_by_name ON word_lists (name);
-- rules: what rules have noted about an account, for the team and for other rules.
CREATE TABLE labels (
    account_id BIGINT NOT NULL,
    label TEXT NOT NULL,
    rule_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, label)
);
-- rules: when the team was last told that the rule applied, because it says so.
ALTER TABLE moderation_rules ADD COLUMN notified_at BIGINT NOT NULL DEFAULT 0;
