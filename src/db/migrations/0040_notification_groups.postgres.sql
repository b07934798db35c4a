-- SPDX-License-Identifier: AGPL-3.0-or-later
-- Once for each statement, since one may delete hundreds of one group.
CREATE FUNCTION notifications_join_groups() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notification_groups (account_id, group_key, type, members, oldest_id, newest_id)
    SELECT account_id, group_key, min(type), count(*), min(id), max(id) FROM joined
    WHERE substr(group_key, 1, 10) <> 'ungrouped-' GROUP BY account_id, group_key ORDER BY account_id, group_key
    ON CONFLICT (account_id, group_key) DO UPDATE SET members = notification_groups.members + excluded.members,
        oldest_id = LEAST(notification_groups.oldest_id, excluded.oldest_id),
        newest_id = GREATEST(notification_groups.newest_id, excluded.newest_id);
    RETURN NULL;
END
$$;
CREATE FUNCTION notifications_leave_groups() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
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
CREATE TRIGGER notification_joins_group AFTER INSERT ON notifications
    REFERENCING NEW TABLE AS joined FOR EACH STATEMENT EXECUTE FUNCTION notifications_join_groups();
CREATE TRIGGER notification_leaves_group AFTER DELETE ON notifications
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION notifications_leave_groups();
