-- SPDX-License-Identifier: AGPL-3.0-or-later

-- statuses: what a status quotes. A status quotes one at most; a deleted one keeps its row.
CREATE TABLE quotes (
    id BIGINT PRIMARY KEY,
    status_id BIGINT NOT NULL UNIQUE,
    account_id BIGINT NOT NULL,
    quoted_status_id BIGINT NOT NULL,
    quoted_account_id BIGINT NOT NULL,
    state TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX quotes_of_status ON quotes (quoted_status_id, id) WHERE state = 'accepted';

-- collections: accounts that somebody recommends
CREATE TABLE collections (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    language TEXT,
    sensitive BOOLEAN NOT NULL,
    discoverable BOOLEAN NOT NULL,
    tag_id BIGINT,
    local BOOLEAN NOT NULL DEFAULT TRUE,
    uri TEXT,
    url TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX collections_of_account ON collections (account_id, id);
-- Who has left a collection keeps the row, so as not to be put there again.
CREATE TABLE collection_items (
    id BIGINT PRIMARY KEY,
    collection_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    state TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX collection_items_by_pair ON collection_items (collection_id, account_id);
CREATE INDEX collection_items_of_account ON collection_items (account_id, collection_id);
