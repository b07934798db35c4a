-- SPDX-License-Identifier: AGPL-3.0-or-later
-- relationships: who blocked, muted or noted an account that moves, in the order in which they come along.
CREATE INDEX blocks_to ON blocks (target_id, id);
DROP INDEX blocks_of_target;
CREATE INDEX mutes_to ON mutes (target_id, id);
CREATE INDEX account_notes_to ON account_notes (target_id, account_id);
