-- SPDX-License-Identifier: AGPL-3.0-or-later
-- relationships: the follows that ended by an event of severances, as they were, until the other side's data is purged.
-- `account_id` is the one who was told; `theirs`: the other one followed them.
CREATE TABLE severed_follows (
    severance_id BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    theirs BOOLEAN NOT NULL,
    account_id BIGINT NOT NULL,
    show_reblogs BOOLEAN NOT NULL,
    notify BOOLEAN NOT NULL,
    languages TEXT,
    PRIMARY KEY (severance_id, theirs, target_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX severed_follows_of ON severed_follows (account_id);
-- instance: when what is stored of a suspended server is deleted; nothing once that has begun.
ALTER TABLE domain_blocks ADD COLUMN purge_at BIGINT;
UPDATE domain_blocks SET purge_at = created_at + 2592000000 WHERE severity = 'suspend';
