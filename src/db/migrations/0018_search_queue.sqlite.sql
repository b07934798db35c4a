-- SPDX-License-Identifier: AGPL-3.0-or-later
-- Merging is done in slices by the job that fills the index, never by whoever inserts.
INSERT INTO status_index (status_index, rank) VALUES ('automerge', 0);
INSERT INTO status_index (status_index, rank) VALUES ('crisismerge', 400);
