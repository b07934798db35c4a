-- SPDX-License-Identifier: AGPL-3.0-or-later
-- rules: posts by several accounts that say nearly the same and came within an hour. `key` tells what they share (likeness.hpp, in
-- hexadecimal); `sample_id` is one of them. `acting`: what is being done about all of them.
CREATE TABLE clusters (
    id BIGINT PRIMARY KEY,
    key TEXT NOT NULL,
    sample_id BIGINT NOT NULL,
    posts BIGINT NOT NULL DEFAULT 0,
    accounts BIGINT NOT NULL DEFAULT 0,
    servers BIGINT NOT NULL DEFAULT 0,
    open BOOLEAN NOT NULL DEFAULT TRUE,
    acting TEXT NOT NULL DEFAULT '',
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    closed_at BIGINT,
    closed_by BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX clusters_by_key ON clusters (key);
CREATE INDEX clusters_in_state ON clusters (open, id);
CREATE INDEX clusters_by_end ON clusters (last_at);
-- rules: what belongs to a cluster.
CREATE TABLE cluster_posts (
    cluster_id BIGINT NOT NULL,
    status_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    domain TEXT NOT NULL,
    PRIMARY KEY (cluster_id, status_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX cluster_posts_by ON cluster_posts (cluster_id, account_id);
CREATE INDEX cluster_posts_from ON cluster_posts (cluster_id, domain);
CREATE INDEX cluster_posts_of ON cluster_posts (account_id, cluster_id);
