-- SPDX-License-Identifier: AGPL-3.0-or-later
-- relationships. `origin`: where the remote one of the two is, as their id begins ("https://far.example/"); empty between
-- people of this site. Written by a trigger.
ALTER TABLE follows ADD COLUMN origin TEXT NOT NULL DEFAULT '';
UPDATE follows SET origin = (
    SELECT substr(a.uri, 1, /*sqlite: instr(substr(a.uri, 9), '/')*/ /*postgres: strpos(substr(a.uri, 9), '/')*/ + 8)
    FROM accounts a WHERE a.id IN (follows.account_id, follows.target_id) AND a.uri <> ''
    ORDER BY CASE WHEN a.id = follows.account_id THEN 0 ELSE 1 END LIMIT 1)
WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.id IN (follows.account_id, follows.target_id) AND a.uri <> '');
CREATE INDEX follows_of_to_origin ON follows (account_id, origin) WHERE origin <> '';
CREATE INDEX followers_of_at_origin ON follows (target_id, origin, id) WHERE origin <> '';
