-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: the letters of a week about the server, as JSON; kept for a year.
CREATE TABLE digests (
    id BIGINT PRIMARY KEY,
    made_at BIGINT NOT NULL,
    content TEXT NOT NULL
);
-- jobs: those that build something out of what was there before, a few among perhaps very many.
CREATE INDEX jobs_that_build ON jobs (id) WHERE kind IN ('index_older', 'index_older_accounts', 'recount');
