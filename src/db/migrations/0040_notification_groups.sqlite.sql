-- SPDX-License-Identifier: AGPL-3.0-or-later
CREATE TRIGGER notification_joins_group AFTER INSERT ON notifications
WHEN substr(new.group_key, 1, 10) <> 'ungrouped-'
BEGIN
    INSERT INTO notification_groups (account_id, group_key, type, members, oldest_id, newest_id)
    VALUES (new.account_id, new.group_key, new.type, 1, new.id, new.id)
    ON CONFLICT (account_id, group_key) DO UPDATE SET members = members + 1,
        oldest_id = min(oldest_id, excluded.oldest_id), newest_id = max(newest_id, excluded.newest_id);
END;
CREATE TRIGGER notification_leaves_group AFTER DELETE ON notifications
WHEN substr(old.group_key, 1, 10) <> 'ungrouped-'
BEGIN
    DELETE FROM notification_groups
    WHERE account_id = old.account_id AND group_key = old.group_key AND members <= 1;
    UPDATE notification_groups SET members = members - 1,
        oldest_id = CASE WHEN oldest_id < old.id THEN oldest_id ELSE (
            SELECT n.id FROM notifications n WHERE n.account_id = old.account_id AND n.group_key = old.group_key
            ORDER BY n.id LIMIT 1) END,
        newest_id = CASE WHEN newest_id > old.id THEN newest_id ELSE (
            SELECT n.id FROM notifications n WHERE n.account_id = old.account_id AND n.group_key = old.group_key
            ORDER BY n.id DESC LIMIT 1) END
    WHERE account_id = old.account_id AND group_key = old.group_key;
END;
