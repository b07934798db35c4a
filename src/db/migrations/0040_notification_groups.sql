-- SPDX-License-Identifier: AGPL-3.0-or-later
-- notifications: the groups there are, so that a page of groups need not read their members. Written by triggers, since
-- notifications go in many ways. Those that stand alone (group_key 'ungrouped-…') have no row.
CREATE TABLE notification_groups (
    account_id BIGINT NOT NULL,
    group_key TEXT NOT NULL,
    type TEXT NOT NULL,
    members BIGINT NOT NULL,
    oldest_id BIGINT NOT NULL,
    newest_id BIGINT NOT NULL,
    PRIMARY KEY (account_id, group_key)
)/*sqlite: WITHOUT ROWID*/;
INSERT INTO notification_groups (account_id, group_key, type, members, oldest_id, newest_id)
    SELECT account_id, group_key, min(type), count(*), min(id), max(id) FROM notifications
    WHERE substr(group_key, 1, 10) <> 'ungrouped-' GROUP BY account_id, group_key;
CREATE INDEX notification_groups_by_newest ON notification_groups (account_id, newest_id);
CREATE INDEX notification_groups_by_oldest ON notification_groups (account_id, oldest_id);

-- notifications: those that stand alone, members of groups by type, and those held back.
CREATE INDEX notifications_alone ON notifications (account_id, id)
    WHERE substr(group_key, 1, 10) = 'ungrouped-' AND filtered = FALSE;
CREATE INDEX notifications_alone_of_type ON notifications (account_id, type, id)
    WHERE substr(group_key, 1, 10) = 'ungrouped-' AND filtered = FALSE;
CREATE INDEX notifications_grouped_of_type ON notifications (account_id, type, id)
    WHERE substr(group_key, 1, 10) <> 'ungrouped-';
CREATE INDEX notifications_held ON notifications (account_id, id) WHERE filtered = TRUE;
