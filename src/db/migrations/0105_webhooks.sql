-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: addresses of the operator's that are told what happens here. `events` is JSON, `secret` signs what is sent,
-- `template` says what that looks like where it is not empty.
CREATE TABLE webhooks (
    id BIGINT PRIMARY KEY,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    secret TEXT NOT NULL,
    template TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
-- moderation: what happened that a webhook is to be told of, until a job takes it over.
CREATE TABLE webhook_calls (
    webhook_id BIGINT NOT NULL,
    event TEXT NOT NULL,
    subject BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (webhook_id, event, subject, at)
)/*sqlite: WITHOUT ROWID*/;
