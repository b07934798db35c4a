-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: what is open about an account: all its open reports together, and who of the team is at it. A closed one stays.
-- `reports` and `categories` (JSON) are of those that are open, or were at last. `rank` is the score and how long it has waited, in one number that does not change with time.
CREATE TABLE cases (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    open BOOLEAN NOT NULL DEFAULT TRUE,
    score BIGINT NOT NULL,
    rank BIGINT NOT NULL,
    reports BIGINT NOT NULL,
    categories TEXT NOT NULL,
    claimed_by BIGINT NOT NULL DEFAULT 0,
    claimed_until BIGINT NOT NULL DEFAULT 0,
    snoozed_until BIGINT NOT NULL DEFAULT 0,
    escalated BOOLEAN NOT NULL DEFAULT FALSE,
    opened_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    closed_at BIGINT,
    closed_by BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX cases_open ON cases (account_id) WHERE open = TRUE;
CREATE INDEX cases_of ON cases (account_id, id);
CREATE INDEX cases_by_rank ON cases (rank, id) WHERE open = TRUE;
CREATE INDEX cases_claimed ON cases (claimed_by, rank, id) WHERE open = TRUE AND claimed_by <> 0;
CREATE INDEX cases_escalated ON cases (rank, id) WHERE open = TRUE AND escalated = TRUE;
CREATE INDEX cases_closed ON cases (id) WHERE open = FALSE;
INSERT INTO cases (id, account_id, score, rank, reports, categories, opened_at, updated_at)
    SELECT min(id), target_id, 10, 10 - min(created_at) / 3600000, count(*), '[]', min(created_at), max(updated_at)
    FROM reports
    WHERE action_taken_at IS NULL GROUP BY target_id;
CREATE INDEX reports_open_on ON reports (target_id, id) WHERE action_taken_at IS NULL;
-- moderation: what staff writes down for staff about an account, a case or a server. `subject`: its number, or its domain.
CREATE TABLE notes (
    id BIGINT PRIMARY KEY,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    author_id BIGINT NOT NULL,
    text TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX notes_about ON notes (kind, subject, id);
