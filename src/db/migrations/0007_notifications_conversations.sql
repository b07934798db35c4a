-- SPDX-License-Identifier: AGPL-3.0-or-later

-- notifications. `about_id` is what one is about besides a status: the id of a report, an event, a strike or a
-- collection, or a year; the type says of what. `merging` is true while notifications that an accepted request
-- held back are let in.
ALTER TABLE notifications ADD COLUMN about_id BIGINT NOT NULL DEFAULT 0;
DROP INDEX notifications_once;
CREATE UNIQUE INDEX notifications_once ON notifications (account_id, type, from_account_id, status_id, about_id);
CREATE INDEX notifications_of_group ON notifications (account_id, group_key, id);
CREATE INDEX notifications_from ON notifications (account_id, from_account_id, id);
CREATE TABLE notification_policies (
    account_id BIGINT PRIMARY KEY,
    for_not_following TEXT NOT NULL,
    for_not_followers TEXT NOT NULL,
    for_new_accounts TEXT NOT NULL,
    for_private_mentions TEXT NOT NULL,
    for_limited_accounts TEXT NOT NULL,
    for_bots TEXT NOT NULL
);
CREATE TABLE notification_requests (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    from_account_id BIGINT NOT NULL,
    last_status_id BIGINT NOT NULL,
    notifications_count BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX notification_requests_by_pair ON notification_requests (account_id, from_account_id);
CREATE INDEX notification_requests_of ON notification_requests (account_id, id);
CREATE TABLE notification_permissions (
    account_id BIGINT NOT NULL,
    from_account_id BIGINT NOT NULL,
    merging BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (account_id, from_account_id)
)/*sqlite: WITHOUT ROWID*/;

-- conversations: somebody's view of a thread of direct statuses with the same people. `participants` are the ids of
-- the others, ascending, each between commas.
CREATE TABLE account_conversations (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    conversation_id BIGINT NOT NULL,
    participants TEXT NOT NULL,
    last_status_id BIGINT NOT NULL,
    unread BOOLEAN NOT NULL
);
CREATE UNIQUE INDEX account_conversations_once ON account_conversations (account_id, conversation_id, participants);
CREATE INDEX account_conversations_of ON account_conversations (account_id, last_status_id);
CREATE TABLE account_conversation_statuses (
    account_conversation_id BIGINT NOT NULL,
    status_id BIGINT NOT NULL,
    PRIMARY KEY (account_conversation_id, status_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX account_conversations_with ON account_conversation_statuses (status_id);
