-- SPDX-License-Identifier: AGPL-3.0-or-later
-- rules: what staff had written down about which posts are dealt with how. `definition` (JSON) is that of `version`;
-- `fuse`, `acts_on_accounts` and `has_to_be_rehearsed` are of it; `rehearsed_version` is the one that was rehearsed last, at `rehearsed_at`. `tripped_at`: when it was put back because it hit
-- too often. The setting "rules_version" moves with every change.
CREATE TABLE moderation_rules (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    mode TEXT NOT NULL,
    position BIGINT NOT NULL,
    version BIGINT NOT NULL,
    definition TEXT NOT NULL,
    fuse BIGINT NOT NULL,
    acts_on_accounts BOOLEAN NOT NULL,
    has_to_be_rehearsed BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    rehearsed_version BIGINT NOT NULL DEFAULT 0,
    rehearsed_at BIGINT NOT NULL DEFAULT 0,
    tripped_at BIGINT
);
-- rules: every version that a rule ever had. `made_by`: an account, or 0.
CREATE TABLE moderation_rule_versions (
    rule_id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    definition TEXT NOT NULL,
    made_by BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (rule_id, version)
)/*sqlite: WITHOUT ROWID*/;
-- rules: what a rule found, for 90 days. `acted`: it did what `actions` (JSON) say; else it only watched. `matched` (JSON):
-- the fields and values by which. `was_sensitive`, `was_public`: the post before rules changed it. `status_id` is 0 where it was
-- refused. `strike_id`, `report_id`: what came of it.
CREATE TABLE rule_hits (
    id BIGINT PRIMARY KEY,
    rule_id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    status_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    acted BOOLEAN NOT NULL,
    refused BOOLEAN NOT NULL,
    was_sensitive BOOLEAN NOT NULL,
    was_public BOOLEAN NOT NULL,
    actions TEXT NOT NULL,
    matched TEXT NOT NULL,
    strike_id BIGINT NOT NULL DEFAULT 0,
    report_id BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    undone_at BIGINT
);
CREATE INDEX rule_hits_of ON rule_hits (rule_id, id);
CREATE INDEX rule_hits_on ON rule_hits (account_id, id);
CREATE INDEX rule_hits_about ON rule_hits (status_id, id) WHERE status_id <> 0;
-- rules: what a version of a rule would have found in posts that are here, for 30 days. `after_id` is how far it came,
-- `until_id` where it ends; `result` (JSON).
CREATE TABLE rule_rehearsals (
    id BIGINT PRIMARY KEY,
    rule_id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    state TEXT NOT NULL,
    from_id BIGINT NOT NULL,
    after_id BIGINT NOT NULL,
    until_id BIGINT NOT NULL,
    result TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    finished_at BIGINT
);
CREATE INDEX rule_rehearsals_of ON rule_rehearsals (rule_id, id);
