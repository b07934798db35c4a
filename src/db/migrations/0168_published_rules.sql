-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: what this site tells others about its rules about servers, and in which order it came to say so (`id`): of each domain
-- the latest. `rule`: JSON; `withdrawn`: there is no such rule any more.
CREATE TABLE published_rules (
    domain TEXT PRIMARY KEY,
    id BIGINT NOT NULL,
    rule TEXT NOT NULL,
    withdrawn BOOLEAN NOT NULL,
    changed_at BIGINT NOT NULL
)/*sqlite: WITHOUT ROWID*/;
CREATE UNIQUE INDEX published_rules_in_order ON published_rules (id);
