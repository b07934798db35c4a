-- SPDX-License-Identifier: AGPL-3.0-or-later
-- notifications: who has cleared more of them than are deleted at once. Those up to `up_to` are shown no more; the row goes
-- with the last of them.
CREATE TABLE notification_clearings (
    account_id BIGINT PRIMARY KEY,
    up_to BIGINT NOT NULL
);
