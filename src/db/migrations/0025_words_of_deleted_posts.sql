-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses: those of an account that are deleted, whose words go when the account does. Of accounts that are gone already
-- they go now.
CREATE INDEX statuses_deleted_of_account ON statuses (account_id, id) WHERE deleted_at IS NOT NULL;
DELETE FROM status_edits WHERE status_id IN (
    SELECT s.id FROM accounts a JOIN statuses s ON s.account_id = a.id
    WHERE a.suspended_by = 'gone' AND s.deleted_at IS NOT NULL);
UPDATE poll_options SET title = '' WHERE status_id IN (
    SELECT s.id FROM accounts a JOIN statuses s ON s.account_id = a.id
    WHERE a.suspended_by = 'gone' AND s.deleted_at IS NOT NULL);
UPDATE statuses SET text = '', content = '', spoiler_text = ''
WHERE deleted_at IS NOT NULL AND account_id IN (SELECT id FROM accounts WHERE suspended_by = 'gone');
