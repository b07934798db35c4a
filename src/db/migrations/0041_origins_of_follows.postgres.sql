-- SPDX-License-Identifier: AGPL-3.0-or-later
CREATE FUNCTION origin_of_follow() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.origin := COALESCE((
        SELECT substr(a.uri, 1, strpos(substr(a.uri, 9), '/') + 8) FROM accounts a
        WHERE a.id IN (NEW.account_id, NEW.target_id) AND a.uri <> ''
        ORDER BY CASE WHEN a.id = NEW.account_id THEN 0 ELSE 1 END LIMIT 1), '');
    RETURN NEW;
END
$$;
CREATE TRIGGER follow_has_origin BEFORE INSERT ON follows FOR EACH ROW EXECUTE FUNCTION origin_of_follow();
