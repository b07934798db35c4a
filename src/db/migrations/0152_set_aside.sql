-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses: a post that is held and that the team does not want. It goes when `until` is over, and waits again where they think
-- better of it.
ALTER TABLE held_posts ADD COLUMN set_aside BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX held_posts_waiting ON held_posts (set_aside, id);
