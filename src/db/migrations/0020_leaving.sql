-- SPDX-License-Identifier: AGPL-3.0-or-later
-- federation: each server once, for what all of them are told.
CREATE INDEX actors_by_shared_inbox ON actors (shared_inbox, account_id) WHERE shared_inbox <> '';

-- accounts: other accounts of the same person, which may move here.
CREATE TABLE aliases (
    account_id BIGINT NOT NULL,
    uri TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, uri)
);
