-- SPDX-License-Identifier: AGPL-3.0-or-later
-- What is looked for is found without walking through everything else.

-- federation: hosts that failed wait by themselves, so that however many they are, those that did not are found at once.
-- PostgreSQL would take a comparison with FALSE for another one.
DROP INDEX hosts_due;
CREATE INDEX hosts_due ON hosts ((CASE WHEN failures > 0 THEN 1 ELSE 0 END), next_at) WHERE next_at IS NOT NULL;
-- federation: those that are not reached together with others of their server.
CREATE INDEX actors_alone ON actors (account_id) WHERE shared_inbox = '';

-- statuses: what is counted as written here; cards that are shown as trends.
CREATE INDEX statuses_written_here ON statuses (id) WHERE local = TRUE AND reblog_of_id IS NULL;
CREATE INDEX preview_cards_trending ON preview_cards (trending) WHERE trending = TRUE;

-- accounts: the directory of those who live here; the invites of an account.
CREATE INDEX accounts_listed_here_by_activity ON accounts (COALESCE(last_status_at, 0), id)
    WHERE domain = '' AND discoverable = TRUE AND suspended_at IS NULL AND silenced_at IS NULL AND moved_to_id IS NULL;
CREATE INDEX accounts_listed_here_by_age ON accounts (id)
    WHERE domain = '' AND discoverable = TRUE AND suspended_at IS NULL AND silenced_at IS NULL AND moved_to_id IS NULL;
CREATE INDEX invites_of ON invites (account_id, code);

-- media: files of other servers that could not be had.
CREATE INDEX remote_files_failed ON remote_files (fetched_at) WHERE file = '';
-- relationships: follows that ended because of a server.
CREATE INDEX severances_by_server ON severances (target_name, id) WHERE type = 'domain_block';
-- announcements: who has put one away.
CREATE INDEX announcement_dismissals_of ON announcement_dismissals (announcement_id);
-- oauth: codes that are too old.
CREATE INDEX authorization_codes_by_age ON authorization_codes (created_at);
