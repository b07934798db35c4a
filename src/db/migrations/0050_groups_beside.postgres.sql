-- SPDX-License-Identifier: AGPL-3.0-or-later
-- notifications: the row of a group, in which all count who do the same at the same time, is held for as long as a commit
-- takes: its trigger runs with the commit. Deferred triggers are called for each row.
DROP TRIGGER notification_joins_group ON notifications;
DROP FUNCTION notifications_join_groups;
CREATE FUNCTION notification_joins_group() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notification_groups (account_id, group_key, type, members, oldest_id, newest_id)
    VALUES (NEW.account_id, NEW.group_key, NEW.type, 1, NEW.id, NEW.id)
    ON CONFLICT (account_id, group_key) DO UPDATE SET members = notification_groups.members + 1,
        oldest_id = LEAST(notification_groups.oldest_id, excluded.oldest_id),
        newest_id = GREATEST(notification_groups.newest_id, excluded.newest_id);
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER notification_joins_group AFTER INSERT ON notifications DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (substr(NEW.group_key, 1, 10) <> 'ungrouped-') EXECUTE FUNCTION notification_joins_group();

-- Who leaves holds the row first, and looks then who is left: a statement sees what was there when it began. Those who joined
-- in the same transaction are counted before.
CREATE OR REPLACE FUNCTION notifications_leave_groups() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    SET CONSTRAINTS notification_joins_group IMMEDIATE;
    SET CONSTRAINTS notification_joins_group DEFERRED;
    PERFORM 1 FROM notification_groups g WHERE (g.account_id, g.group_key) IN (
        SELECT account_id, group_key FROM gone WHERE substr(group_key, 1, 10) <> 'ungrouped-')
    ORDER BY g.account_id, g.group_key FOR UPDATE;
    UPDATE notification_groups g SET members = g.members - l.members,
        oldest_id = COALESCE((SELECT n.id FROM notifications n WHERE n.account_id = g.account_id
            AND n.group_key = g.group_key ORDER BY n.id LIMIT 1), g.oldest_id),
        newest_id = COALESCE((SELECT n.id FROM notifications n WHERE n.account_id = g.account_id
            AND n.group_key = g.group_key ORDER BY n.id DESC LIMIT 1), g.newest_id)
    FROM (SELECT account_id, group_key, count(*) AS members FROM gone
          WHERE substr(group_key, 1, 10) <> 'ungrouped-' GROUP BY account_id, group_key) l
    WHERE g.account_id = l.account_id AND g.group_key = l.group_key;
    DELETE FROM notification_groups g USING (
        SELECT DISTINCT account_id, group_key FROM gone WHERE substr(group_key, 1, 10) <> 'ungrouped-') l
    WHERE g.account_id = l.account_id AND g.group_key = l.group_key AND g.members <= 0;
    RETURN NULL;
END
$$;
