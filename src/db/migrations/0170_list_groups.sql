-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: groups of subscribed lists, which count as one: `agree` of its members must say so; 0 for what is no group.
ALTER TABLE list_sources ADD COLUMN agree BIGINT NOT NULL DEFAULT 0;
CREATE TABLE list_group_members (
    group_id BIGINT NOT NULL,
    source_id BIGINT NOT NULL,
    PRIMARY KEY (group_id, source_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX list_groups_by_member ON list_group_members (source_id);
