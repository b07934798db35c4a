-- SPDX-License-Identifier: AGPL-3.0-or-later
-- discovery: statuses that were favourited or boosted within the hour, with the accounts that had done so at `marked_at`,
-- the id of the last favourite or boost.
CREATE TABLE trend_candidates (
    status_id BIGINT PRIMARY KEY,
    author_id BIGINT NOT NULL,
    language TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    accounts BIGINT NOT NULL,
    marked_at BIGINT NOT NULL
);
CREATE INDEX trend_candidates_by_mark ON trend_candidates (marked_at);
-- discovery: up to which favourite and boost candidates were looked for.
CREATE TABLE trend_cursors (
    kind TEXT PRIMARY KEY,
    after_id BIGINT NOT NULL
);
