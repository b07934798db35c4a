-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: what was found wrong with the server itself. `place`: the machine, '' where it is a matter of the whole site; `seen_at`: when
-- it was last seen; `reported_at`: when those who look after the server were told, `over_at`: when it was over.
CREATE TABLE alerts (
    id BIGINT PRIMARY KEY,
    kind TEXT NOT NULL,
    place TEXT NOT NULL,
    since BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    reported_at BIGINT,
    over_at BIGINT,
    detail TEXT NOT NULL
);
CREATE UNIQUE INDEX alerts_standing ON alerts (kind, place) WHERE over_at IS NULL;
CREATE INDEX alerts_by_seen_at ON alerts (seen_at);
