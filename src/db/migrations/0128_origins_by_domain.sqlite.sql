-- SPDX-License-Identifier: AGPL-3.0-or-later
-- relationships: somebody of this site may have a stored id, too, where the place of another server was taken.
DROP TRIGGER follow_has_origin;
CREATE TRIGGER follow_has_origin AFTER INSERT ON follows
WHEN EXISTS (SELECT 1 FROM accounts a WHERE a.id IN (new.account_id, new.target_id) AND a.domain <> '')
BEGIN
    UPDATE follows SET origin = (
        SELECT substr(a.uri, 1, instr(substr(a.uri, 9), '/') + 8) FROM accounts a
        WHERE a.id IN (new.account_id, new.target_id) AND a.domain <> ''
        ORDER BY CASE WHEN a.id = new.account_id THEN 0 ELSE 1 END LIMIT 1)
    WHERE id = new.id;
END;
