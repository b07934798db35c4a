-- SPDX-License-Identifier: AGPL-3.0-or-later
-- transfer: all that somebody wrote as one file, made in the background. `state`: waiting, ready or failed. `secret` is part of
-- the file's name, so that nobody guesses it where something else serves the folder.
CREATE TABLE archives (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    secret TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    total BIGINT NOT NULL DEFAULT 0,
    done BIGINT NOT NULL DEFAULT 0,
    bytes BIGINT NOT NULL DEFAULT 0,
    attempts BIGINT NOT NULL DEFAULT 0,
    leased_until BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE INDEX archives_of ON archives (account_id, id);
CREATE INDEX archives_waiting ON archives (leased_until, id) WHERE state = 'waiting';
CREATE INDEX archives_ended ON archives (ended_at, id) WHERE ended_at IS NOT NULL;
