-- SPDX-License-Identifier: AGPL-3.0-or-later

-- accounts. `suspended_by`: 'remote' when the account's own server says so, 'gone' when that server has deleted it;
-- else the moderators of this site.
ALTER TABLE accounts ADD COLUMN suspended_by TEXT NOT NULL DEFAULT '';

-- emojis: when another server last changed the picture, as far as it says.
ALTER TABLE custom_emojis ADD COLUMN changed_at BIGINT;

-- statuses: what is known of a status of another server besides. `parent` and `quoted`: ids of what it answers and
-- quotes as long as that is not known here. `stamp`: where the quoted author agrees. `told_at`: when its server last
-- told us; `replies_at`: when its thread was last read from there.
CREATE TABLE remote_statuses (
    status_id BIGINT PRIMARY KEY,
    context TEXT NOT NULL DEFAULT '',
    replies TEXT NOT NULL DEFAULT '',
    parent TEXT NOT NULL DEFAULT '',
    quoted TEXT NOT NULL DEFAULT '',
    stamp TEXT NOT NULL DEFAULT '',
    told_at BIGINT NOT NULL,
    replies_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX remote_statuses_answering ON remote_statuses (parent) WHERE parent <> '';
CREATE INDEX remote_statuses_quoting ON remote_statuses (quoted) WHERE quoted <> '';

-- statuses: ids that their account deleted, or took back, before they came.
CREATE TABLE tombstones (
    uri TEXT NOT NULL,
    account_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (uri, account_id)
);
CREATE INDEX tombstones_by_age ON tombstones (created_at);

-- media: files of other servers of which a copy is kept for a while. No file: it could not be had.
CREATE TABLE remote_files (
    url TEXT PRIMARY KEY,
    file TEXT NOT NULL DEFAULT '',
    small TEXT NOT NULL DEFAULT '',
    bytes BIGINT NOT NULL DEFAULT 0,
    fetched_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL
);
CREATE INDEX remote_files_by_use ON remote_files (used_at) WHERE file <> '';
CREATE INDEX remote_files_by_file ON remote_files (file) WHERE file <> '';
