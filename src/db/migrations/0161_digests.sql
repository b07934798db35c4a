-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: the letters of a week about the server, as JSON; kept for a year.
CREATE TABLE digests (
    id BIGINT PRIMARY KEY,
    made_at BIGINT NOT NULL,
    content TEXT NOT NULL
);
