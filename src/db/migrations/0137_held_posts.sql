-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses: posts that wait for a look by the team, because a rule wants that. One of this site is stored as a status that its author
-- alone sees, `status_id`; one of another server, `uri`, waits outside of statuses. `draft` (JSON) is what it will be. `until`:
-- when it is let go by itself, or dropped.
CREATE TABLE held_posts (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    status_id BIGINT NOT NULL DEFAULT 0,
    uri TEXT,
    draft TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    until BIGINT,
    drops BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE UNIQUE INDEX held_posts_by_uri ON held_posts (uri) WHERE uri IS NOT NULL;
CREATE UNIQUE INDEX held_posts_by_status ON held_posts (status_id) WHERE status_id <> 0;
CREATE INDEX held_posts_of ON held_posts (account_id, id);
CREATE INDEX held_posts_due ON held_posts (until) WHERE until IS NOT NULL;
-- rules: what the hit had held; 0: nothing.
ALTER TABLE rule_hits ADD COLUMN held_id BIGINT NOT NULL DEFAULT 0;
CREATE INDEX rule_hits_holding ON rule_hits (held_id, id) WHERE held_id <> 0;
