-- SPDX-License-Identifier: AGPL-3.0-or-later
-- instance: who made a rule. 'hand': staff, and no list changes it; 'list': the lists of list_rules that say so; 'exception':
-- it keeps a domain of list_exceptions out of a rule about one above it.
ALTER TABLE domain_blocks ADD COLUMN origin TEXT NOT NULL DEFAULT 'hand';
-- instance: domains that no list decides about, nor about those below them.
CREATE TABLE list_exceptions (
    domain TEXT PRIMARY KEY,
    comment TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
-- instance: what each list said that was applied. A rule of lists is the strictest of those that are active, and goes with
-- the last of them.
CREATE TABLE list_rules (
    batch_id BIGINT NOT NULL,
    domain TEXT NOT NULL,
    severity TEXT NOT NULL,
    reject_media BOOLEAN NOT NULL,
    reject_reports BOOLEAN NOT NULL,
    obfuscate BOOLEAN NOT NULL,
    public_comment TEXT,
    active BOOLEAN NOT NULL DEFAULT TRUE,
    PRIMARY KEY (batch_id, domain)
);
CREATE INDEX list_rules_about ON list_rules (domain, batch_id) WHERE active = TRUE;
-- moderation: lists of servers that were applied. `step`: what is being done in the background, or that it is done;
-- `accounts`, `following`, `followers`, `restored` count what was done so far. `applied_by`: an account, or 0.
CREATE TABLE list_batches (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    applied_by BIGINT NOT NULL,
    step TEXT NOT NULL,
    domains BIGINT NOT NULL,
    accounts BIGINT NOT NULL DEFAULT 0,
    following BIGINT NOT NULL DEFAULT 0,
    followers BIGINT NOT NULL DEFAULT 0,
    restored BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    undone_at BIGINT,
    forgotten BOOLEAN NOT NULL DEFAULT FALSE
);
-- moderation: the lines of a list, as JSON, until all of them are in force.
CREATE TABLE list_lines (
    batch_id BIGINT PRIMARY KEY,
    lines TEXT NOT NULL
);
CREATE INDEX list_batches_kept ON list_batches (created_at, id) WHERE forgotten = FALSE;
-- relationships: servers that a list suspended, and the people here who had to do with them; `severance_id` is the event
-- that each of them is told of, if they lost something.
CREATE TABLE list_servers (
    batch_id BIGINT NOT NULL,
    domain TEXT NOT NULL,
    PRIMARY KEY (batch_id, domain)
)/*sqlite: WITHOUT ROWID*/;
CREATE TABLE list_people (
    batch_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    severance_id BIGINT NOT NULL,
    PRIMARY KEY (batch_id, account_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX list_people_of ON list_people (account_id);
