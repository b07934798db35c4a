-- SPDX-License-Identifier: AGPL-3.0-or-later
-- instance: what was changed of what the site is, each time by whom (0: at the console of the server). `before_value`, `after_value`: what was
-- and is stored; NULL: nothing, so that it is as the program or its configuration has it.
CREATE TABLE setting_changes (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    actor_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    before_value TEXT,
    after_value TEXT
);
CREATE INDEX setting_changes_by_name ON setting_changes (name, id);
