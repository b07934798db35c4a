-- SPDX-License-Identifier: AGPL-3.0-or-later
-- relationships: somebody of this site may have a stored id, too, where the place of another server was taken.
CREATE OR REPLACE FUNCTION origin_of_follow() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.origin := COALESCE((
        SELECT substr(a.uri, 1, strpos(substr(a.uri, 9), '/') + 8) FROM accounts a
        WHERE a.id IN (NEW.account_id, NEW.target_id) AND a.domain <> ''
        ORDER BY CASE WHEN a.id = NEW.account_id THEN 0 ELSE 1 END LIMIT 1), '');
    RETURN NEW;
END
$$;
