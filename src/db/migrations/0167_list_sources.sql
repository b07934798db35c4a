-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: lists of servers that are subscribed to. `cursor`: where a FIRES dataset is read on, empty before its snapshot;
-- `etag` is of what is read next. `hold`: why nothing is done by itself before staff has looked at it. `next_at`: when it is read again.
CREATE TABLE list_sources (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    mode TEXT NOT NULL,
    ceiling TEXT NOT NULL,
    retractions TEXT NOT NULL,
    cursor TEXT NOT NULL DEFAULT '',
    etag TEXT NOT NULL DEFAULT '',
    hold TEXT NOT NULL DEFAULT 'first',
    entries BIGINT NOT NULL DEFAULT 0,
    refused BIGINT NOT NULL DEFAULT 0,
    failures BIGINT NOT NULL DEFAULT 0,
    problem TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    read_at BIGINT
);
-- moderation: what such a list says, as JSON; `accepted`: of which domains it recommended something when that was last gone along
-- with; `dismissed`: domains of which nothing is suggested any more.
CREATE TABLE list_copies (
    source_id BIGINT PRIMARY KEY,
    entries TEXT NOT NULL DEFAULT '[]',
    accepted TEXT NOT NULL DEFAULT '[]',
    dismissed TEXT NOT NULL DEFAULT '[]'
);
-- moderation: which of them a batch came from, 0 for none.
ALTER TABLE list_batches ADD COLUMN source_id BIGINT NOT NULL DEFAULT 0;
