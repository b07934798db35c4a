-- SPDX-License-Identifier: AGPL-3.0-or-later
-- Each table's comment names the slice that owns it: only that slice writes it.

-- tags: who used a tag in public statuses on which day (the UTC midnight it began at), and in how many.
CREATE TABLE tag_uses (
    tag_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    uses BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (tag_id, day, account_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX tag_uses_by_day ON tag_uses (day, tag_id);

-- tags
CREATE TABLE tag_follows (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    tag_id BIGINT NOT NULL
);
CREATE UNIQUE INDEX tag_follows_by_pair ON tag_follows (account_id, tag_id);
CREATE INDEX tag_follows_of ON tag_follows (account_id, id);

-- tags: what a profile shows. Counts are of public and unlisted statuses; `name` is how its owner writes it.
CREATE TABLE featured_tags (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    tag_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    statuses_count BIGINT NOT NULL DEFAULT 0,
    last_status_at BIGINT
);
CREATE UNIQUE INDEX featured_tags_by_pair ON featured_tags (account_id, tag_id);

-- filters. A change of anything here moves the relations_version of the account.
CREATE TABLE filters (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    title TEXT NOT NULL,
    context TEXT NOT NULL,
    filter_action TEXT NOT NULL DEFAULT 'warn',
    expires_at BIGINT
);
CREATE INDEX filters_of ON filters (account_id, id);
CREATE TABLE filter_keywords (
    id BIGINT PRIMARY KEY,
    filter_id BIGINT NOT NULL,
    keyword TEXT NOT NULL,
    whole_word BOOLEAN NOT NULL DEFAULT TRUE
);
CREATE INDEX keywords_of_filter ON filter_keywords (filter_id, id);
CREATE TABLE filter_statuses (
    id BIGINT PRIMARY KEY,
    filter_id BIGINT NOT NULL,
    status_id BIGINT NOT NULL
);
CREATE UNIQUE INDEX filter_statuses_by_pair ON filter_statuses (filter_id, status_id);

-- lists. A change of anything here moves the relations_version of the account.
CREATE TABLE lists (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    title TEXT NOT NULL,
    replies_policy TEXT NOT NULL DEFAULT 'list',
    exclusive BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX lists_of ON lists (account_id, id);
CREATE TABLE list_members (
    list_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    PRIMARY KEY (list_id, account_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX lists_with ON list_members (account_id, list_id);
