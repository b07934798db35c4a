-- SPDX-License-Identifier: AGPL-3.0-or-later

-- statuses. `local_only`: seen by people of this site and sent to no other.
ALTER TABLE statuses ADD COLUMN local_only BOOLEAN NOT NULL DEFAULT FALSE;

-- statuses: what an edited status was and is, oldest first; a status that was never edited has none. `media` and
-- `poll_options` are JSON (statuses/edit.hpp: Snapshot).
CREATE TABLE status_edits (
    id BIGINT PRIMARY KEY,
    status_id BIGINT NOT NULL,
    sensitive BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    spoiler_text TEXT NOT NULL,
    text TEXT NOT NULL,
    content TEXT NOT NULL,
    media TEXT NOT NULL,
    poll_options TEXT NOT NULL
);
CREATE INDEX edits_of_status ON status_edits (status_id, id);

-- statuses. The greater the id, the later it was pinned.
CREATE TABLE status_pins (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    status_id BIGINT NOT NULL
);
CREATE UNIQUE INDEX pins_by_pair ON status_pins (account_id, status_id);
CREATE INDEX pins_of_status ON status_pins (status_id);

-- statuses: conversations of which an account wants no notifications.
CREATE TABLE conversation_mutes (
    account_id BIGINT NOT NULL,
    conversation_id BIGINT NOT NULL,
    PRIMARY KEY (account_id, conversation_id)
)/*sqlite: WITHOUT ROWID*/;

-- statuses: the poll of a status. `ended`: those who voted were told.
CREATE TABLE polls (
    status_id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    multiple BOOLEAN NOT NULL DEFAULT FALSE,
    hide_totals BOOLEAN NOT NULL DEFAULT FALSE,
    ended BOOLEAN NOT NULL DEFAULT FALSE,
    expires_at BIGINT,
    voters_count BIGINT
);
CREATE INDEX polls_open ON polls (expires_at) WHERE ended = FALSE AND expires_at IS NOT NULL;
CREATE TABLE poll_options (
    status_id BIGINT NOT NULL,
    position BIGINT NOT NULL,
    votes_count BIGINT NOT NULL DEFAULT 0,
    title TEXT NOT NULL,
    PRIMARY KEY (status_id, position)
)/*sqlite: WITHOUT ROWID*/;
CREATE TABLE poll_votes (
    status_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    choice BIGINT NOT NULL,
    PRIMARY KEY (status_id, account_id, choice)
)/*sqlite: WITHOUT ROWID*/;

-- statuses. `state` is scheduled.hpp: State; `params` is JSON, as the entity shows it.
CREATE TABLE scheduled_statuses (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    scheduled_at BIGINT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    local_only BOOLEAN NOT NULL DEFAULT FALSE,
    content_type TEXT NOT NULL,
    params TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX scheduled_of_account ON scheduled_statuses (account_id, id);
CREATE INDEX scheduled_waiting ON scheduled_statuses (scheduled_at) WHERE state = 'waiting';
