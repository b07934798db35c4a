-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: who of the staff did what, one row an act, never changed and never removed. `hash` is the SHA-256 of the hash
-- before and of the row, so that a row that was changed, removed or put between others is found (moderation/audit.hpp).
-- `actor_id` 0: the operator, at the command line.
CREATE TABLE audit_entries (
    id BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    actor_id BIGINT NOT NULL,
    action TEXT NOT NULL,
    target_kind TEXT NOT NULL,
    target_id BIGINT NOT NULL,
    target_name TEXT NOT NULL,
    details TEXT NOT NULL,
    hash TEXT NOT NULL
);
CREATE INDEX audit_entries_of_actor ON audit_entries (actor_id, id);
CREATE INDEX audit_entries_on_target ON audit_entries (target_kind, target_id, id);
CREATE INDEX audit_entries_by_action ON audit_entries (action, id);
-- moderation: the last of them, in one row: who writes the next one locks it.
CREATE TABLE audit_heads (
    name TEXT PRIMARY KEY,
    entry_id BIGINT NOT NULL,
    hash TEXT NOT NULL
);
INSERT INTO audit_heads (name, entry_id, hash) VALUES ('staff', 0, '');
