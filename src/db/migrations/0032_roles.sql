-- SPDX-License-Identifier: AGPL-3.0-or-later
-- accounts: who has a role is asked at every sign-up.
CREATE INDEX users_by_role ON users (role_id) WHERE role_id <> -99;

-- The permissions of the first roles, as the API documents them; what an operator has changed stays.
UPDATE roles SET permissions = 1049884 WHERE id = 1 AND permissions = 1308;
UPDATE roles SET permissions = 2031612 WHERE id = 2 AND permissions = 983036;

-- media: files of accounts that are suspended already are withheld from now on, too.
INSERT INTO jobs (id, kind, payload, run_at, created_at)
    SELECT -id, 'withhold_media', '{"accounts":["' || id || '"],"deleted":false,"after":"0"}', 0, 0
    FROM accounts WHERE suspended_at IS NOT NULL AND suspended_by = '';
