-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses: answers and quotes that not everybody may read were counted as well. A job counts anew, chunk after chunk.
INSERT INTO jobs (id, kind, payload, run_at, created_at)
    SELECT 32001, 'recount', '{"after":"0"}', 0, 0 WHERE EXISTS (SELECT 1 FROM statuses);
