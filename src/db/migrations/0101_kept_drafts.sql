-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses: what somebody is writing, so that another device can go on with it. `data` is JSON that only the client that wrote
-- it understands; `key` is the client's name for it.
CREATE TABLE kept_drafts (
    account_id BIGINT NOT NULL,
    key TEXT NOT NULL,
    data TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, key)
);
CREATE INDEX kept_drafts_latest ON kept_drafts (account_id, updated_at);
