-- SPDX-License-Identifier: AGPL-3.0-or-later
-- push: messages that wait to be sent, one for each subscription and notification. Ids grow with time.
CREATE TABLE push_messages (
    id BIGINT PRIMARY KEY,
    subscription_id BIGINT NOT NULL,
    notification_id BIGINT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    due_at BIGINT NOT NULL,
    leased_until BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX push_messages_due ON push_messages (due_at, id);
