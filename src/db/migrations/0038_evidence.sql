-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: what was reported, as it was then and became afterwards, whatever is deleted. `target`: what the account
-- called itself, JSON; '' when there is nothing kept any more.
ALTER TABLE reports ADD COLUMN target TEXT NOT NULL DEFAULT '';
CREATE INDEX reports_closed ON reports (action_taken_at) WHERE action_taken_at IS NOT NULL AND target <> '';
CREATE TABLE report_statuses (
    report_id BIGINT NOT NULL,
    status_id BIGINT NOT NULL,
    PRIMARY KEY (report_id, status_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX reports_of_status ON report_statuses (status_id);
-- One row for each version of a post; `words` is JSON.
CREATE TABLE evidence (
    status_id BIGINT NOT NULL,
    written_at BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (status_id, written_at)
)/*sqlite: WITHOUT ROWID*/;
-- Files of posts that are kept a second time.
CREATE TABLE evidence_files (
    file TEXT NOT NULL,
    status_id BIGINT NOT NULL,
    PRIMARY KEY (file, status_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX evidence_files_of_status ON evidence_files (status_id);
