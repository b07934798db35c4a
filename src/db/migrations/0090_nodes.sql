-- SPDX-License-Identifier: AGPL-3.0-or-later
-- server: the programs that serve this site now. Each writes its row anew every few seconds; who works and has been there
-- longest does the work by the clock. `late_ms`: how long the last row waited to be written.
CREATE TABLE nodes (
    name TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    roles TEXT NOT NULL,
    version TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    late_ms BIGINT NOT NULL,
    waiting BIGINT NOT NULL,
    listeners BIGINT NOT NULL,
    jobs_done BIGINT NOT NULL
);
